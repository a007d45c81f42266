export type Environment = Readonly<Record<string, string | undefined>>;

/** The meaning of a variable; `undefined` where it is not set, or makes no sense. */
export type ReadVariable = <Value>(name: string, parse: (text: string, source: string) => Value) => Value | undefined;

/**
 * Reads variables. One that makes no sense was set by somebody who may not know the program, so it is reported, and counts
 * as not set.
 */
export function variablesOf(environment: Environment, report: (problem: string) => void): ReadVariable {
  return (name, parse) => {
    try {
      const text = environment[name];
      return text ? parse(text, name) : undefined;
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}
