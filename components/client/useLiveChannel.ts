import { useEffect, useEffectEvent, useState } from 'react';
import { openSharedChannel, type LiveChannel, type LiveMessage, type LiveSubscription } from './live-channel';

const LIVE_EVENT_NAMES = [
  'execution_update',
  'node_completed',
  'execution_completed',
  'error',
  'presence',
  'pointer',
  'webhook_called',
  'pins_changed',
  'workflow_saved',
] as const;

/**
 * Subscribes to a topic: the service sends the current state, then every change, and both again after a reconnect.
 * Messages of other topics arrive as well and must be filtered by their ids. Returns whether the connection is up.
 */
export function useLiveChannel(
  subscription: LiveSubscription | undefined,
  onMessage: (message: LiveMessage) => void,
): boolean {
  const [isConnected, setConnected] = useState(true);
  const receive = useEffectEvent(onMessage);
  const key = subscription && JSON.stringify(subscription);
  useEffect(() => {
    if (key === undefined) return;
    let socket: LiveChannel | undefined;
    let isOver = false;
    const what = JSON.parse(key) as LiveSubscription;
    const onAny = (message: LiveMessage) => receive(message);
    const onConnect = () => {
      setConnected(true);
      socket?.emit('subscribe', what);
    };
    const onLost = () => setConnected(false);
    openSharedChannel().then((opened) => {
      if (isOver) return;
      socket = opened;
      for (const event of LIVE_EVENT_NAMES) socket.on(event, onAny);
      socket.on('connect', onConnect);
      socket.on('disconnect', onLost);
      socket.on('connect_error', onLost);
      if (socket.connected) onConnect();
    }, onLost);
    return () => {
      isOver = true;
      if (!socket) return;
      if (socket.connected) socket.emit('unsubscribe', what);
      for (const event of LIVE_EVENT_NAMES) socket.off(event, onAny);
      socket.off('connect', onConnect);
      socket.off('disconnect', onLost);
      socket.off('connect_error', onLost);
    };
  }, [key]);
  return isConnected;
}
