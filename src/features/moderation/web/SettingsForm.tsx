import { Form } from 'react-router'
import { REASON_LENGTH } from '#operators/contract.ts'
import { type EditedSettings, SETTINGS_CHANGED, WHO_MAY_SELL, type WhoMaySell } from '#site/contract.ts'
import { TextAreaField, useRules } from '#ui/fields.tsx'
import { SubmitButton } from '#ui/SubmitButton.tsx'
import { useFormBase } from '#ui/use-form-base.ts'
import { useResultCount } from '#ui/use-result-count.ts'
import { useSending } from '#ui/use-sending.ts'
import { LOGGED } from './OperateRows.tsx'
import type { OperateResult } from './operate.route.ts'
import { validateIntent } from './operateIntents.ts'

const choices = Object.entries(WHO_MAY_SELL) as [WhoMaySell, string][]

/** What operators set in the browser. */
export function SettingsForm({
  settings,
  result,
}: {
  settings: EditedSettings
  result: OperateResult | undefined
}) {
  const busy = useSending({ needsNewVersion: true })
  const begun = useFormBase(settings)
  const refused = result?.intent === 'change-settings' && !result.done ? result : undefined
  const saved = useResultCount(result?.intent === 'change-settings' && result.done ? result : undefined)
  const { errors, form } = useRules(form => validateIntent('change-settings', form), refused?.fields)
  const chosen = refused?.typed?.who_may_sell ?? settings.who_may_sell
  const isRequired = refused
    ? refused.typed?.seller_details_required === 'on'
    : settings.seller_details_required
  const isSafetyRequired = refused
    ? refused.typed?.product_safety_required === 'on'
    : settings.product_safety_required
  // After the message of a conflict, the next save replaces the newer version.
  const version =
    refused && !refused.problems?.includes(SETTINGS_CHANGED) ? refused.typed?.version : begun.version
  return (
    <Form method="post" className="choices" preventScrollReset {...form}>
      <input type="hidden" name="version" value={version} />
      <fieldset>
        <legend>Who may sell</legend>
        {choices.map(([value, name]) => (
          <label key={value}>
            <input type="radio" name="who_may_sell" value={value} defaultChecked={value === chosen} />
            {name}
          </label>
        ))}
      </fieldset>
      <p className="hint">Makers who have listings go on, whatever you choose.</p>
      <fieldset>
        <legend>Who sells, as the law asks</legend>
        <label>
          <input type="checkbox" name="seller_details_required" defaultChecked={isRequired} />
          Makers say it before they add listings
        </label>
      </fieldset>
      <fieldset>
        <legend>Product safety, as the law asks</legend>
        <label>
          <input type="checkbox" name="product_safety_required" defaultChecked={isSafetyRequired} />
          Listings say who made them, with warnings, before they are for sale
        </label>
      </fieldset>
      <p className="hint">Listings that are for sale already stay. Their makers read what is missing.</p>
      <TextAreaField
        key={saved}
        label="Reason"
        name="reason"
        rows={2}
        limit={REASON_LENGTH}
        dir="auto"
        hint={LOGGED}
        error={errors.reason}
        defaultValue={refused?.typed?.reason}
      />
      <SubmitButton busy={busy} name="intent" value="change-settings">
        Save
      </SubmitButton>
    </Form>
  )
}
