/** The parts of its scope that a text with expressions may read; a superset. */
export interface ScopeReferences {
  input: boolean;
  execution: boolean;
  /** Only where `vars` is written: `$$` and wildcards don't include it. */
  variables: boolean;
  /** Whether it may read `vars.<name>`. */
  variable(name: string): boolean;
  /** Whether it calls a function that depends on the time zone. */
  timeZone: boolean;
  /** Whether it may read the output of the node with this id, and with a prelude this name. */
  node(id: string, name?: string): boolean;
  /** Whether it may read this name of a scope with names of its own. */
  name(name: string): boolean;
}
