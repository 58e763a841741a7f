import bundle from 'realm:n8n';

/** The prelude of n8n as a script that defines the global `__prelude`. */
export const PRELUDE_SOURCE = `globalThis.__prelude = (() => { ${bundle}; return prelude; })();`;
