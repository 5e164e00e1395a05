/** Carriers whose tracking pages are known, by the name that pages show. The number is inserted at the end. */
const trackingPages: Record<string, string> = {
  'An Post': 'https://www.anpost.com/Post-Parcels/Track/History?item=',
  'Australia Post': 'https://auspost.com.au/mypost/track/details/',
  'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=',
  Correos: 'https://www.correos.es/es/en/tools/tracker/items/details?tracking-number=',
  DHL: 'https://www.dhl.com/en/express/tracking.html?AWB=',
  'Deutsche Post': 'https://www.deutschepost.de/sendung/simpleQueryResult.html?form.sendungsnummer=',
  DPD: 'https://tracking.dpd.de/status/en_US/parcel/',
  Evri: 'https://www.evri.com/track/parcel/',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  GLS: 'https://gls-group.com/track/',
  'La Poste': 'https://www.laposte.fr/outils/suivre-vos-envois?code=',
  'Österreichische Post': 'https://www.post.at/en/s/item-details?snr=',
  PostNL: 'https://postnl.nl/tracktrace/?B=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
  'Swiss Post': 'https://service.post.ch/ekp-web/ui/entry/search/',
  UPS: 'https://www.ups.com/track?tracknum=',
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
}

/** Names of the carriers, for a list of suggestions. */
export const carriers: string[] = Object.keys(trackingPages)

/** The carrier's page about a parcel. null: the carrier is not known, or the parcel has no number. */
export function trackingUrl(carrier: string | null, tracking: string | null): string | null {
  const name = carriers.find(name => name.toLowerCase() === carrier?.trim().toLowerCase())
  return name && tracking ? `${trackingPages[name]}${encodeURIComponent(tracking)}` : null
}
