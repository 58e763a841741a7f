/** Values enter and leave as JSON: the code never gets a handle of this process. A call of it runs a program. */
export const CODE_RUNNER_SOURCE = `(() => {
  const show = (value) => typeof value === 'string' ? value : JSON.stringify(value) ?? String(value);
  const write = __log;
  const log = (level) => (...values) => write(level, values.map(show).join(' '));
  globalThis.console = { log: log('info'), info: log('info'), debug: log('info'), warn: log('warn'), error: log('error') };
  globalThis.__log = undefined;
  const { parse } = JSON;
  const quote = __quote;
  globalThis.__quote = undefined;
  const exact = {
    parse(text, reviver) {
      const json = String(text);
      if (!/\\d{16}/.test(json)) return parse(json, reviver);
      const quoted = quote(json);
      try { return parse(quoted, reviver); } catch (error) { throw quoted === json ? error : (parse(json), error); }
    },
  };
  const AsyncFunction = (async () => {}).constructor;
  return (source, ...texts) => {
    const [input, nodes, execution, vars] = texts.slice(0, 4).map((text) => parse(text));
    // A global: a parameter could not be declared again by the source.
    const prelude = globalThis.__prelude;
    delete globalThis.__prelude;
    const made = prelude?.createCodeNames(parse(texts[4]));
    if (made) Object.defineProperties(globalThis, Object.getOwnPropertyDescriptors(made.names));
    else {
      globalThis.vars = vars;
      // With a prelude, JSON.parse rounds as ever.
      Object.assign(JSON, exact);
    }
    const outcome = { state: 'pending' };
    const returned = made
      ? new AsyncFunction(source)().then((value) => made.finish(value))
      : new AsyncFunction('input', 'nodes', 'execution', source)(input, nodes, execution);
    returned.then(
      (value) => { outcome.json = JSON.stringify(value) ?? 'null'; outcome.state = 'done'; },
    ).then(undefined, (error) => { outcome.state = 'failed'; outcome.error = error; });
    return outcome;
  };
})()`;

/** The library for dates and the prelude, as one script. */
export async function readCodePrelude(timeZone: string): Promise<string> {
  const [{ withLuxonSource }, { PRELUDE_SOURCE }] = await Promise.all([
    import('./javascript/sandbox'),
    import('./prelude/source'),
  ]);
  const zone = `globalThis.__zone = () => ${JSON.stringify(timeZone)};`;
  return `${zone}\n${withLuxonSource()}();\ndelete globalThis.__zone;\n${PRELUDE_SOURCE}`;
}
