import type { Browser } from '@playwright/test';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { whenDrawn, type Graph, type Opened } from './frames-graph';

/** Baseline: React Flow with its default nodes and edges and nothing else. */
const PROGRAM = `
  import { createElement as h } from 'react';
  import { createRoot } from 'react-dom/client';
  import { MiniMap, ReactFlow, useEdgesState, useNodesState } from '@xyflow/react';
  function Bare({ graph }) {
    const [nodes, , onNodesChange] = useNodesState(graph.nodes.map(({ id, position, name }) => ({
      id, position, data: { label: name }, sourcePosition: 'right', targetPosition: 'left', style: { width: 236, height: 60 },
    })));
    const [edges, , onEdgesChange] = useEdgesState(graph.connections.map(({ sourceNode, targetNode }) => ({
      id: sourceNode + targetNode, source: sourceNode, target: targetNode,
    })));
    return h(ReactFlow,
      { nodes, edges, onNodesChange, onEdgesChange, fitView: true, minZoom: 0.1, panOnScroll: true,
        onlyRenderVisibleElements: graph.nodes.length > 150 },
      h(MiniMap));
  }
  window.draw = (graph) => createRoot(document.getElementById('root')).render(h(Bare, { graph }));
`;

/** Opens the bare page with a graph. */
export async function openBare(browser: Browser, graph: Graph): Promise<Opened> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.setContent('<body style="margin:0"><div id="root" style="height:100vh"></div></body>');
  const styles = createRequire(import.meta.url).resolve('@xyflow/react/dist/style.css');
  await page.addStyleTag({ content: readFileSync(styles, 'utf8') });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const startedAt = await page.evaluate((drawn) => {
    const now = performance.now();
    (window as unknown as { draw(graph: Graph): void }).draw(drawn);
    return now;
  }, graph);
  return { page, openMs: (await whenDrawn(page)) - startedAt };
}
