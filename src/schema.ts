// Generated from the migrated database by `npm run types`; do not edit.
import type { Generated } from 'kysely'

declare module '#platform/database/database.ts' {
  interface Schema {
    addresses: {
      id: Generated<number>
      user_id: number
      name: string
      line1: string
      line2: Generated<string>
      city: string
      region: Generated<string>
      postal_code: Generated<string>
      country: string
      created_at: Generated<Date>
      key: string | null
    }
    agreements: {
      user_id: number
      version_id: number
      agreed_at: Generated<Date>
    }
    applications: {
      id: Generated<number>
      user_id: number
      words: string
      created_at: Generated<Date>
      answered_by: number | null
      accepted: boolean | null
    }
    brand: {
      only_row: Generated<boolean>
      name: string | null
      short_name: string | null
      tagline: string | null
      description: string | null
      team: unknown | null
      paper_light: string | null
      accent_light: string | null
      paper_dark: string | null
      accent_dark: string | null
      logo: number | null
      hero: number | null
      hero_caption: Generated<string>
      hero_link: Generated<string>
      version: Generated<number>
    }
    cart_choices: {
      user_id: number
      seller_id: number
      pickup_id: number | null
      note: Generated<string>
    }
    cart_lines: {
      id: Generated<number>
      user_id: number
      product_id: number
      quantity: number
      created_at: Generated<Date>
      added_price_cents: number | null
      answers: Generated<unknown>
      answers_digest: Generated<string>
      variant_id: number | null
      added_as: string | null
    }
    carts: {
      user_id: number
      address_id: number | null
    }
    catalogue: {
      product_id: number
      seller_id: number
      category: string
      price_cents: number
      created_at: Date
      in_stock: boolean
      rating: number
      reviews: number
      stems: string
    }
    conversation_messages: {
      id: Generated<number>
      conversation_id: number
      role: string
      text: string
      key: string | null
      created_at: Generated<Date>
      read_at: Date | null
    }
    conversations: {
      id: Generated<number>
      shopper_id: number
      maker_id: number
      product_id: number | null
      shopper_stopped_at: Date | null
      maker_stopped_at: Date | null
      created_at: Generated<Date>
      newest_at: Generated<Date>
    }
    data_exports: {
      id: Generated<number>
      user_id: number
      requested_at: Generated<Date>
      due_at: Generated<Date | null>
      tries: Generated<number>
      leased_until: Date | null
      made_at: Date | null
      failed_at: Date | null
      last_error: string | null
      expires_at: Date | null
      folder: string | null
      bytes: number | null
      link_hashes: Generated<Buffer[]>
    }
    device_cookies: {
      token_hash: Buffer
      user_id: number
      expires_at: Date
    }
    draft_pictures: {
      id: Generated<number>
      seller_id: number
      draft_id: number | null
      product_id: number | null
      position: number
      alt: Generated<string>
      url: string
      state: Generated<string>
      reason: string | null
      attempts: Generated<number>
      next_at: Generated<Date>
      leased_until: Date | null
    }
    drafts: {
      id: Generated<number>
      seller_id: number
      fields: unknown
      version: Generated<number>
      added_as: string | null
      created_at: Generated<Date>
      changed_at: Generated<Date>
      source_key: string | null
      imported: unknown | null
    }
    email_links: {
      id: Generated<number>
      user_id: number | null
      purpose: string
      email: string
      created_at: Generated<Date>
      token_hashes: Generated<Buffer[]>
      expires_at: Date | null
      former_email: string | null
      used_at: Date | null
      by_hand: Generated<boolean>
    }
    ended_sessions: {
      token_hash: Buffer
      ended_at: Generated<Date>
    }
    favourites: {
      user_id: number
      product_id: number
      created_at: Generated<Date>
    }
    former_shop_names: {
      look_hash: Buffer
      held_until: Date
    }
    former_usernames: {
      id: Generated<number>
      user_id: number | null
      username: string | null
      name_hash: Buffer
      skeleton_hash: Buffer
      left_at: Generated<Date>
      held_until: Date
      look_hash: Buffer | null
    }
    images: {
      id: Generated<number>
      product_id: number | null
      folder: string
      kind: string
      width: number | null
      height: number | null
      widths: number[]
      created_at: Generated<Date>
      colour: string | null
      owner_id: number | null
      bytes: number | null
      draft_id: number | null
      position: Generated<number>
      alt: Generated<string>
      added_as: string | null
    }
    installation: {
      id: Generated<string>
      link_key: Generated<Buffer>
    }
    invitation_uses: {
      user_id: number
      invitation_id: number
      used_at: Generated<Date>
    }
    invitations: {
      id: Generated<number>
      token_hash: Buffer
      note: string
      uses_left: number
      expires_at: Date
      revoked_at: Date | null
      created_by: number | null
      created_at: Generated<Date>
    }
    letters_off: {
      user_id: number
      kind: string
    }
    objections: {
      decision_id: number
      person_id: number
      words: string
      created_at: Generated<Date>
      answered_by: number | null
    }
    operator_log: {
      id: Generated<number>
      operator_id: number | null
      by_command: boolean
      action: string
      person_id: number | null
      product_id: number | null
      review_id: number | null
      order_id: number | null
      about: number | null
      reason: Generated<string>
      rule: Generated<string>
      created_at: Generated<Date>
    }
    operator_sessions: {
      session_hash: Buffer
      token_hash: Buffer
      expires_at: Date
    }
    operators: {
      user_id: number
      added_at: Generated<Date>
    }
    order_addresses: {
      order_id: number
      name: string
      line1: string
      line2: string
      city: string
      region: string
      postal_code: string
      country: string
    }
    order_event_units: {
      event_id: number
      order_id: number
      product_id: number
      units: number
      line: Generated<number>
    }
    order_events: {
      id: Generated<number>
      order_id: number
      kind: string
      about: number | null
      role: string
      reason: Generated<string>
      carrier: string | null
      tracking: string | null
      cents: number | null
      happened_on: string | null
      key: string | null
      created_at: Generated<Date>
    }
    order_lines: {
      order_id: number
      product_id: number
      name: string
      price_cents: number
      quantity: number
      sent: Generated<number>
      cancelled: Generated<number>
      line: Generated<number>
      answers: Generated<unknown>
      variant_id: number | null
    }
    order_messages: {
      id: Generated<number>
      order_id: number
      role: string
      text: string
      key: string | null
      created_at: Generated<Date>
      read_at: Date | null
    }
    orders: {
      id: Generated<number>
      user_id: number
      status: Generated<string>
      total_cents: number
      idempotency_key: string | null
      created_at: Generated<Date>
      cancelled_at: Date | null
      purchase_id: number | null
      seller_id: number | null
      postage_cents: Generated<number>
      postage_name: Generated<string>
      days_min: number | null
      days_max: number | null
      ready_by: Date | null
      pickup_place: string | null
      pickup_hours: string | null
      pickup_code: string | null
      note: Generated<string>
      is_open: Generated<boolean>
      cancelled_cents: Generated<number>
      paid_cents: Generated<number>
      refunded_cents: Generated<number>
    }
    outbox: {
      id: Generated<string>
      kind: string
      subject: number
      recipient: number
      created_at: Generated<Date>
      due_at: Generated<Date | null>
      tries: Generated<number>
      sent_at: Date | null
      failed_at: Date | null
      last_error: string | null
      notify: Generated<boolean>
      retried_at: Date | null
    }
    page_versions: {
      id: Generated<number>
      slug: string
      text: string
      author_id: number | null
      created_at: Generated<Date>
    }
    pages: {
      slug: string
      published_version: number | null
      published_at: Date | null
      agreed_at_signup: Generated<boolean>
    }
    passkey_challenges: {
      challenge: Buffer
      purpose: string
      user_id: number | null
      user_handle: Buffer | null
      expires_at: Date
    }
    passkeys: {
      id: Generated<number>
      user_id: number
      credential_id: string
      public_key: Buffer
      user_handle: Buffer
      counter: Generated<number>
      transports: Generated<string[]>
      backed_up: boolean
      name: string
      created_at: Generated<Date>
      used_at: Date | null
    }
    pending_imports: {
      id: Generated<number>
      seller_id: number
      file: Buffer
      created_at: Generated<Date>
    }
    pickup_places: {
      id: Generated<number>
      profile_id: number
      place: string
      hours: Generated<string>
    }
    postage_profiles: {
      id: Generated<number>
      seller_id: number
      name: string
      from_country: string | null
      is_default: Generated<boolean>
      created_at: Generated<Date>
      added_as: string | null
      version: Generated<number>
    }
    postage_rates: {
      id: Generated<number>
      profile_id: number
      destination: string
      first_cents: number
      further_cents: number
      days_min: number
      days_max: number
    }
    products: {
      id: Generated<number>
      seller_id: number
      name: string
      category: string
      description: string
      price_cents: number
      created_at: Generated<Date>
      deleted_at: Date | null
      changed_at: Date | null
      added_as: string | null
      version: Generated<number>
      postage_profile_id: number | null
      made_to_order: Generated<boolean>
      handling_days: Generated<number>
      title: Generated<string>
      story: Generated<string>
      tags: Generated<string[]>
      materials: Generated<string[]>
      weight_grams: number | null
      length_mm: number | null
      width_mm: number | null
      height_mm: number | null
      section_id: number | null
      retired_at: Date | null
      source_key: string | null
      questions: Generated<unknown>
      variations: Generated<unknown>
      hidden_at: Date | null
      suspended_at: Date | null
      safety: Generated<string>
      manufacturer: Generated<string>
    }
    rate_limits: {
      subject: string
      window_start: Date
      count: number
    }
    ratings: {
      product_id: number
      reviews: number
      stars: number
    }
    reports: {
      id: Generated<number>
      reporter_id: number | null
      email: string | null
      person_id: number | null
      product_id: number | null
      review_id: number | null
      grounds: string
      words: string
      created_at: Generated<Date>
      answered_by: number | null
      of_reply: Generated<boolean>
    }
    reviews: {
      id: Generated<number>
      product_id: number
      user_id: number
      review: string
      stars: number
      created_at: Generated<Date>
      updated_at: Date | null
      reply: string | null
      replied_at: Date | null
      hidden_at: Date | null
      reply_hidden_at: Date | null
    }
    sections: {
      id: Generated<number>
      seller_id: number
      name: string
      position: number
      created_at: Generated<Date>
    }
    security_events: {
      id: Generated<number>
      user_id: number
      device: string
      passkey: string | null
      created_at: Generated<Date>
    }
    seller_details: {
      user_id: number
      is_trader: boolean
      name: string
      address: string
      email: string
      phone: string
      register: string
      vat_id: string
      responsible_person: string
      confirmed_at: Generated<Date>
      outside_eu: Generated<boolean>
      safety: Generated<string>
    }
    sessions: {
      token_hash: Buffer
      user_id: number
      created_at: Generated<Date>
      expires_at: Date
      id: Generated<number>
      device: Generated<string>
      used_at: Generated<Date>
    }
    setup_links: {
      token_hash: Buffer
      created_at: Generated<Date>
    }
    shop_names: {
      look: string
      user_id: number
      chosen_at: Generated<Date>
    }
    shops: {
      user_id: number
      words: Generated<string>
      place: Generated<string>
      image_id: number | null
      away_from: string | null
      away_until: string | null
      away_note: Generated<string>
      payment_words: Generated<string>
      name: Generated<string>
      shows_name: Generated<boolean>
      banner_id: number | null
      contact_email: Generated<string>
      contact_phone: Generated<string>
      returns: Generated<string>
      custom_orders: Generated<string>
      care: Generated<string>
      takes_messages: Generated<boolean>
    }
    site_settings: {
      only_row: Generated<boolean>
      who_may_sell: Generated<string>
      seller_details_required: Generated<boolean>
      set_up_at: Date | null
      product_safety_required: Generated<boolean>
      version: Generated<number>
    }
    stock: {
      product_id: number
      quantity: number
    }
    stock_ledger: {
      product_id: number
      id: Generated<number>
      units: number
      reason: string
      order_id: number | null
      created_at: Generated<Date>
      sent_as: string | null
      event_id: number | null
      variant_id: number | null
    }
    users: {
      id: Generated<number>
      username: string
      email: string
      first_name: string
      last_name: string
      password_hash: string
      created_at: Generated<Date>
      username_skeleton: string | null
      erased_at: Date | null
      email_confirmed_at: Date | null
      notifications_seen_at: Generated<Date>
      suspended_at: Date | null
      approved_at: Date | null
    }
    variants: {
      id: Generated<number>
      product_id: number
      options: string[]
      position: number
      price_cents: number
      sku: Generated<string>
      photo: number | null
      quantity: Generated<number>
      deleted_at: Date | null
    }
    vocabulary: {
      word: string
      stem: string
      said_by: number | null
      mends: Generated<boolean>
    }
  }
}
