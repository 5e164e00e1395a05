/** What React and its router bring for pages of another kind, and the browser's build of ours goes without. */
import type { Plugin } from 'vite'

const THROWN = 'leftOut()'
const NOTHING = 'undefined'

/** Parts that no page of ours reaches: file → what stands in the function's place → its name. */
const unreached: Record<string, Record<string, string[]>> = {
  'react-dom/cjs/react-dom-client.production.js': {
    [THROWN]: [
      // <ViewTransition>: the router begins transitions itself.
      'applyViewTransitionToHostInstances',
      'commitAfterMutationEffectsOnFiber',
      'commitDeletedPairViewTransitions',
      'createViewTransitionInstance',
      'measureViewTransitionHostInstancesRecursive',
      'restoreViewTransitionOnHostInstances',
      'scheduleViewTransitionEvent',
      'startViewTransition',
      // <Activity> and <SuspenseList>.
      'commitActivityHydrationCallbacks',
      'findFirstSuspended',
      'retryActivityComponentWithoutHydrating',
      'updateActivityComponent',
      'updateSuspenseListComponent',
      // A ref of a <Fragment>.
      'FragmentInstance',
      'commitNewChildToFragmentInstance',
      'deleteChildFromFragmentInstance',
      // <title>, <meta>, <link>, <style> and <script> that a component puts into the head, and preload() and its kin.
      'acquireResource',
      'createHoistableInstance',
      'getHydratableHoistableCache',
      'getResource',
      'mountHoistable',
      'preconnectAs',
      'preinitModuleScript',
      'preinitScript',
      'preinitStyle',
      'preload',
      'preloadModule',
      'suspendResource',
      // useActionState(), <form action={…}>, elements with names of their own, findDOMNode().
      'dispatchActionState',
      'ensureFormComponentIsStateful',
      'findCurrentFiberUsingSlowPath',
      'mountActionState',
      'setPropOnCustomElement',
      'updateActionStateImpl',
    ],
    // In which components an error was, told by names that a build makes short.
    "''": ['getStackByFiberInDevAndProd'],
  },
  'react-router/dist/production/lib/router/instrumentation.js': {
    [THROWN]: ['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
    [NOTHING]: ['consumeInstrumentationClientResultMetaReceiver'],
  },
  'react-router/dist/production/lib/dom/ssr/components.js': {
    // What it answers outside of framework mode, where a link fetches nothing ahead by itself.
    '[false, null, {}]': ['usePrefetchBehavior'],
    [THROWN]: ['PrefetchPageLinks'],
  },
  'react-router/dist/production/lib/router/router.js': {
    // Middleware, routes that come later, fetcher.load() and fetcher.Form by GET.
    [THROWN]: [
      'cancelDiscoveryNavigation',
      'discoverRoutes',
      'handleFetcherLoader',
      'patchRoutesImpl',
      'runClientMiddlewarePipeline',
    ],
  },
  'react-router/dist/production/lib/dom/lib.js': {
    // The entry hands over the data of the first page itself.
    [THROWN]: ['parseHydrationData'],
  },
  'react-router/dist/production/lib/errors.js': {
    [NOTHING]: ['decodeRedirectErrorDigest', 'decodeRouteErrorResponseDigest'],
  },
  'react-router/dist/production/lib/hooks.js': {
    [THROWN]: ['DefaultErrorComponent', 'RSCErrorHandler', 'useNavigateUnstable'],
  },
}

const leftOut = `function leftOut() { throw new Error('Left out of the build, see docs/decisions/0038') }\n`

/** Names for developers' tools, and methods: to a bundler a change of something, so that it would keep their owner. */
const kept =
  /^(?:\w+\.displayName = .*;|(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.\w+ = function[\s\S]*?^\};)$/gm

/** Leaves it out of the browser's build. @throws Error when React or the router has changed */
export const withoutUnreached: Plugin = {
  name: 'without-unreached',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform(code, id) {
    const [, file = ''] = /[\\/]node_modules[\\/]((?:react-dom|react-router)[\\/].+)$/.exec(id) ?? []
    if (!file) return
    let lean = code.replace(kept, '')
    for (const [instead, names] of Object.entries(unreached[file.replaceAll('\\', '/')] ?? {}))
      for (const name of names) {
        const whole = lean
        lean = lean.replace(
          new RegExp(`^(\\t?)((?:async )?function) ${name}\\(`, 'm'),
          (_, indent, keyword) =>
            `${indent}function ${name}() { return ${instead} }\n${indent}${keyword} ${name}WithAll(`,
        )
        if (lean === whole) this.error(`There is no ${name} in ${file} any more: see docs/decisions/0038`)
      }
    return { code: leftOut + lean, map: null }
  },
}
