import { useNodesInitialized, useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';

/** Centres a node on the canvas once the cards are measured, and again when the node changes. */
export function CenterOn({ nodeId }: { nodeId: string | undefined }) {
  const flow = useReactFlow();
  const isReady = useNodesInitialized();
  useEffect(() => {
    const node = nodeId === undefined || !isReady ? undefined : flow.getInternalNode(nodeId);
    if (!node) return;
    const { x, y } = node.internals.positionAbsolute;
    const { width = 236, height = 60 } = node.measured;
    void flow.setCenter(x + width / 2, y + height / 2, { zoom: Math.max(0.8, flow.getZoom()), duration: 250 });
  }, [nodeId, isReady, flow]);
  return null;
}
