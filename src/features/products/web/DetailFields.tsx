import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Image } from '#images/contract.ts'
import type { FieldErrors } from '#problem'
import { SelectField, TextAreaField, TextField } from '#ui/fields.tsx'
import {
  type ListingDetails,
  MANUFACTURER_LENGTH,
  MATERIAL_LENGTH,
  MAX_MATERIALS,
  MAX_TAGS,
  SAFETY_LENGTH,
  STORY_LENGTH,
  TAG_LENGTH,
  TITLE_LENGTH,
} from '../details-contract.ts'
import { DETAIL_LABELS, type DetailControl, textsOf } from '../form-details.ts'
import { QUESTION_CONTROLS } from '../form-questions.ts'
import { VARIATION_CONTROLS, variationControls } from '../form-variations.ts'
import { isRowControl } from '../row-controls.ts'
import { SIDES } from '../sides.ts'
import { QuestionFields } from './QuestionFields.tsx'
import { VariationFields } from './VariationFields.tsx'

/** What the form knows of details. */
export interface DetailOptions {
  /** Of the seller's shop. */
  sections: { id: number; name: string }[]
  /** As saved; undefined for a new listing. */
  saved: ListingDetails | undefined
}
interface Props extends DetailOptions {
  /** The stored photos. */
  images: Image[]
  /** Typed values. */
  typed: Record<string, string> | undefined
  errors: FieldErrors
}

/** What can be said of a listing beside the fields that every listing needs, in groups. */
export function DetailFields({ sections, saved, typed, errors, images }: Props) {
  const texts = textsShown(saved, typed)
  const control = (name: string) => ({ name, error: errors[name], defaultValue: texts[name] ?? '' })
  const field = (name: DetailControl) => ({ label: DETAIL_LABELS[name], ...control(name) })
  const group = (names: string[]) => ({ names, texts, errors })
  return (
    <>
      <Group title="More about it" {...group(['title', 'story', 'tags', 'materials'])}>
        <TextField
          hint="A longer name, if the one above had to be cut"
          limit={TITLE_LENGTH}
          dir="auto"
          {...field('title')}
        />
        <TextAreaField
          rows={8}
          hint="How it is made and what is special about it. An empty line begins a paragraph, “- ” a list"
          limit={STORY_LENGTH}
          dir="auto"
          {...field('story')}
        />
        <TextField
          hint={`Words that people search for, with commas between them: at most ${MAX_TAGS}, of ${TAG_LENGTH} characters each`}
          {...field('tags')}
        />
        <TextField
          hint={`With commas between them: at most ${MAX_MATERIALS}, of ${MATERIAL_LENGTH} characters each`}
          {...field('materials')}
        />
      </Group>
      <Group title="Size and weight" {...group([...SIDES.map(([side]) => side), 'weight_grams'])}>
        <div className="sides">
          {SIDES.map(([name, , label]) => (
            <TextField key={name} label={`${label} (cm)`} inputMode="decimal" {...control(name)} />
          ))}
        </div>
        <TextField
          inputMode="numeric"
          {...field('weight_grams')}
          label={`${DETAIL_LABELS.weight_grams} (g)`}
        />
      </Group>
      <Group title="Product safety" {...group(['safety', 'manufacturer'])}>
        <TextAreaField
          rows={4}
          hint={
            <>
              {'In the language of those who buy. If none are needed, say so. Empty: those of your '}
              <Link to="/settings/seller">seller details</Link>
            </>
          }
          limit={SAFETY_LENGTH}
          dir="auto"
          {...field('safety')}
        />
        <TextAreaField
          rows={4}
          hint="Their name, postal address and email. If they are outside of the European Union, also who answers for it there: name, postal address and email"
          limit={MANUFACTURER_LENGTH}
          dir="auto"
          {...field('manufacturer')}
          label="Made by somebody else"
        />
      </Group>
      <Group title="Section" {...group(['section_id'])}>
        <SectionField sections={sections} {...control('section_id')} />
      </Group>
      <Group
        title="Variations"
        {...group([...VARIATION_CONTROLS, ...Object.keys(errors).filter(isRowControl)])}
      >
        <VariationFields texts={texts} errors={errors} photos={images} />
      </Group>
      <Group title="Personalisation" {...group(QUESTION_CONTROLS)}>
        <QuestionFields texts={texts} errors={errors} />
      </Group>
    </>
  )
}

/** What was typed, else what is saved. Rows are typed all or none: a combination that was taken away stays so. */
function textsShown(saved: ListingDetails | undefined, typed: Record<string, string> | undefined) {
  const texts = saved ? textsOf(saved) : {}
  if (!typed || !(variationControls(1).title in typed)) return { ...texts, ...typed }
  const others = Object.entries(texts).filter(([name]) => !isRowControl(name))
  return { ...Object.fromEntries(others), ...typed }
}

interface SectionFieldProps extends Pick<DetailOptions, 'sections'> {
  name: string
  error: string | undefined
  defaultValue: string
}

function SectionField({ sections, ...field }: SectionFieldProps) {
  const { defaultValue: chosen } = field
  const isKnown = chosen === '' || sections.some(({ id }) => String(id) === chosen)
  return (
    <SelectField
      label="Section of your shop"
      hint={
        <>
          {'Parts of your shop page, which you name in '}
          <Link to="/settings/sections">your sections</Link>
        </>
      }
      {...field}
    >
      <option value="">No section</option>
      {/* After the session has ended: nothing typed is lost. */}
      {!isKnown && <option value={chosen}>As chosen before</option>}
      {sections.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

interface GroupProps {
  title: string
  /** Its controls. */
  names: string[]
  texts: Record<string, string>
  errors: FieldErrors
  children: ReactNode
}

/** Fields that can be folded away. Open at first if they hold something, and whenever one of them is wrong. */
function Group({ title, names, texts, errors, children }: GroupProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const isWrong = names.some(name => errors[name])
  const [isOpen] = useState(isWrong || names.some(name => texts[name]))
  // Before the form gives the focus to the wrong field. On each attempt: it may have been closed meanwhile.
  useLayoutEffect(() => {
    if (names.some(name => errors[name]) && element.current) element.current.open = true
  }, [names, errors])
  return (
    <details className="group" open={isOpen} ref={element}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
