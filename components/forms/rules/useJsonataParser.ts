import { useEffect, useState } from 'react';
import type { ParseJsonata, JsonataTree } from './model/parse-rules';

let loaded: ParseJsonata | undefined;

async function loadJsonataParser(): Promise<ParseJsonata> {
  const { default: jsonata } = await import('jsonata');
  // JSONata declares a narrower type of its tree.
  loaded ??= (source) => jsonata(source).ast() as unknown as JsonataTree;
  return loaded;
}

/** The parser of JSONata, which is loaded when an expression has to be read; undefined until then. */
export function useJsonataParser(isNeeded: boolean): ParseJsonata | undefined {
  const [parse, setParse] = useState(() => loaded);
  useEffect(() => {
    if (!isNeeded || parse) return;
    let isOver = false;
    void loadJsonataParser().then((next) => {
      if (!isOver) setParse(() => next);
    });
    return () => {
      isOver = true;
    };
  }, [isNeeded, parse]);
  return parse;
}
