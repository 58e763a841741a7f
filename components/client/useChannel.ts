import { useEffect, useEffectEvent, useState } from 'react';
import { channel, type Channel, type Message, type Subscription } from './channel';

const EVENTS = [
  'execution_update',
  'node_completed',
  'execution_completed',
  'error',
  'presence',
  'webhook_called',
  'pins_changed',
] as const;

/**
 * Subscribes to a topic: the service sends the current state, then every change, and both again after a reconnect.
 * Messages of other topics arrive as well and must be filtered by their ids. Returns whether the connection is up.
 */
export function useChannel(subscription: Subscription | undefined, onMessage: (message: Message) => void): boolean {
  const [isConnected, setConnected] = useState(true);
  const receive = useEffectEvent(onMessage);
  const key = subscription && JSON.stringify(subscription);
  useEffect(() => {
    if (key === undefined) return;
    let socket: Channel | undefined;
    let isOver = false;
    const what = JSON.parse(key) as Subscription;
    const onAny = (message: Message) => receive(message);
    const onConnect = () => {
      setConnected(true);
      socket?.emit('subscribe', what);
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
      if (socket.connected) socket.emit('unsubscribe', what);
      for (const event of EVENTS) socket.off(event, onAny);
      socket.off('connect', onConnect);
      socket.off('disconnect', onLost);
      socket.off('connect_error', onLost);
    };
  }, [key]);
  return isConnected;
}
