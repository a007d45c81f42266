/** A call, or a fact of one, that was recorded in a run of a process, which those of other clients were not. */
export function withRun<Of extends object>(of: Of, run: string | null): Of & { readonly process_run?: string } {
  return run === null ? of : { ...of, process_run: run };
}
