import type { Metadata } from 'next';
import { VariableList } from '@/components/settings/variables/VariableList';

export const metadata: Metadata = { title: 'Variables' };

export default function Page() {
  return <VariableList />;
}
