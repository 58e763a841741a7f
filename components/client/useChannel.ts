import { useEffect, useEffectEvent, useState } from 'react';
import { channel, type Channel, type Message, type Wish } from './channel';

const EVENTS = ['execution_update', 'node_completed', 'execution_completed', 'error', 'presence'] as const;

/**
 * Subscribes to something, once there is a wish: the service sends the state so far, then every change, again after each
 * reconnection. Others' messages come, too: they say what they are about. Answers whether the connection stands.
 */
export function useChannel(wish: Wish | undefined, onMessage: (message: Message) => void): boolean {
  const [isConnected, setConnected] = useState(true);
  const receive = useEffectEvent(onMessage);
  const wanted = wish && JSON.stringify(wish);
  useEffect(() => {
    if (wanted === undefined) return;
    let socket: Channel | undefined;
    let isOver = false;
    const what = JSON.parse(wanted) as Wish;
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
  }, [wanted]);
  return isConnected;
}
