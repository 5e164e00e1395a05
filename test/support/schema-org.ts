import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'))
const PREFIXES = [
  ['schema:', 'http://schema.org/'],
  ['rdf:', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['rdfs:', 'http://www.w3.org/2000/01/rdf-schema#'],
] as const

function short(iri: string): string {
  for (const [prefix, namespace] of PREFIXES)
    if (iri.startsWith(namespace)) return prefix + iri.slice(namespace.length)
  return iri
}

/** A term, as in schema.org's JSON-LD. */
interface Term {
  '@id': string
  '@type': string
  'rdfs:subClassOf': { '@id': string }[]
  'schema:domainIncludes': { '@id': string }[]
}

/** All types of schema.org, with their parents and properties. @see https://schema.org/docs/developers.html */
export function vocabulary(): { '@graph': Term[] } {
  const terms = new Map<string, Term>()
  for (const statement of readFileSync(file, 'utf8').matchAll(/^<([^>]+)> <([^>]+)> <([^>]+)>/gm)) {
    const [id = '', predicate = '', object = ''] = statement.slice(1).map(short)
    const term = terms.get(id) ?? {
      '@id': id,
      '@type': '',
      'rdfs:subClassOf': [],
      'schema:domainIncludes': [],
    }
    terms.set(id, term)
    if (predicate === 'rdf:type' && (object === 'rdfs:Class' || object === 'rdf:Property'))
      term['@type'] = object
    if (predicate === 'rdfs:subClassOf' || predicate === 'schema:domainIncludes')
      term[predicate].push({ '@id': object })
  }
  return { '@graph': [...terms.values()] }
}
