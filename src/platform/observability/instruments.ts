declare module 'fastify' {
  interface FastifyInstance {
    /** Returns a function that adds one to the counter `name`. Without metrics it does nothing. */
    counter: (name: string, help: string) => () => void
    /**
     * Adds the gauge `name`, which is read when the metrics are fetched: value of the label → number. It is about the
     * whole installation, so every process has the same numbers. Without metrics it does nothing.
     */
    gauge: (name: string, help: string, label: string, read: () => Promise<Record<string, number>>) => void
    /** Counts a response that was sent without Fastify, and its duration in milliseconds; undefined without metrics. */
    observeRequest:
      | ((labels: { method: string; route: string; status: number }, ms: number) => void)
      | undefined
    /** The metrics of this process, or of all workers; undefined without metrics. */
    metrics: Metrics | undefined
    /** Load of every queue that refuses work when it is full, by name. */
    loads: Map<string, Load>
  }
}

/** Returns the metrics in the text format of Prometheus, and its content type. */
export type Metrics = () => Promise<{ type: string; text: string }>

/** Load of a queue with a limit. */
export interface Load {
  running: number
  waiting: number
  /** Refused since the start. */
  refused: number
}
