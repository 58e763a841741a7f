'use client';

export { PageErrorState as default } from '@/components/ui/states/PageErrorState';
