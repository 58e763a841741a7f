import { useEffect, useEffectEvent, useState } from 'react';
import type { ServerMessage } from '@/contract/channel';
import { channel, type Channel } from './channel';

const EVENTS = ['execution_update', 'node_completed', 'execution_completed', 'error'] as const;

/**
 * Follows one execution: the service sends the state so far, then every change, again after each reconnection.
 * Answers whether the connection stands.
 */
export function useChannel(executionId: string | undefined, onMessage: (message: ServerMessage) => void): boolean {
  const [isConnected, setConnected] = useState(true);
  const receive = useEffectEvent(onMessage);
  useEffect(() => {
    if (executionId === undefined) return;
    let socket: Channel | undefined;
    let isOver = false;
    const wish = { channel: 'execution', executionId } as const;
    const onAny = (message: ServerMessage) => receive(message);
    const onConnect = () => {
      setConnected(true);
      socket?.emit('subscribe', wish);
    };
    const onLost = () => setConnected(false);
    channel().then((opened) => {
      if (isOver) return;
      socket = opened;
      for (const event of EVENTS) socket.on(event, onAny);
      socket.on('connect', onConnect);
      socket.on('disconnect', onLost);
      socket.on('connect_error', onLost);
      if (socket.connected) onConnect();
    }, onLost);
    return () => {
      isOver = true;
      if (!socket) return;
      if (socket.connected) socket.emit('unsubscribe', wish);
      for (const event of EVENTS) socket.off(event, onAny);
      socket.off('connect', onConnect);
      socket.off('disconnect', onLost);
      socket.off('connect_error', onLost);
    };
  }, [executionId]);
  return isConnected;
}
