/** The first match wins: many browsers also name others. */
const browsers: [RegExp, string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b.*\bMobile\b/, 'an Android phone'],
  [/\bAndroid\b/, 'an Android tablet'],
  [/\bCrOS\b/, 'a Chromebook'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * A readable device name, such as 'Firefox on Windows'. User agents are unreliable, so it only helps to recognize a
 * device.
 */
export function deviceOf(userAgent: string | undefined): string {
  const agent = userAgent?.slice(0, 500) ?? ''
  const named = (kinds: [RegExp, string][]) => kinds.find(([pattern]) => pattern.test(agent))?.[1]
  const browser = named(browsers) ?? 'A browser'
  const system = named(systems)
  return system ? `${browser} on ${system}` : browser
}
