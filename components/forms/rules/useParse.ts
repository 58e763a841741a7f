import { useEffect, useState } from 'react';
import type { Parse, Tree } from './model/parse';

let loaded: Parse | undefined;

async function load(): Promise<Parse> {
  const { default: jsonata } = await import('jsonata');
  // JSONata declares a narrower type of its tree.
  loaded ??= (source) => jsonata(source).ast() as unknown as Tree;
  return loaded;
}

/** The parser of JSONata, which is loaded when an expression has to be read; undefined until then. */
export function useParse(isNeeded: boolean): Parse | undefined {
  const [parse, setParse] = useState(() => loaded);
  useEffect(() => {
    if (!isNeeded || parse) return;
    let isOver = false;
    void load().then((next) => {
      if (!isOver) setParse(() => next);
    });
    return () => {
      isOver = true;
    };
  }, [isNeeded, parse]);
  return parse;
}
