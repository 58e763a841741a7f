export { NotFound as default } from '@/components/ui/states/NotFound';
