import { createTheme, type MantineColorsTuple } from '@mantine/core';

// In props, the colours have the names of dyes: woad (blue) for actions, madder (red) for errors, weld (yellow) for
// waiting, verdigris (green) for success. The greys are warm.
const blueShades: MantineColorsTuple = [
  '#eef2fb',
  '#dbe3f5',
  '#b9c8ea',
  '#94aade',
  '#718dd0',
  '#5673c0',
  '#435fae',
  '#374f94',
  '#2c4078',
  '#1f2d56',
];
const redShades: MantineColorsTuple = [
  '#fdf0ee',
  '#fadcd8',
  '#f2b8b0',
  '#e98f84',
  '#de6a5c',
  '#d04e3f',
  '#b93f31',
  '#9a3328',
  '#792820',
  '#551c17',
];
const yellowShades: MantineColorsTuple = [
  '#fdf6e3',
  '#f9e8bd',
  '#f1d183',
  '#e7b84b',
  '#d9a025',
  '#b47e10',
  '#8f620b',
  '#744f0a',
  '#5a3e0a',
  '#3f2c08',
];
const greenShades: MantineColorsTuple = [
  '#eaf7f2',
  '#cfecdf',
  '#a0d8c0',
  '#6dc09e',
  '#45a881',
  '#2f9069',
  '#237052',
  '#1d5f46',
  '#164836',
  '#0e3125',
];
const grayShades: MantineColorsTuple = [
  '#faf8f5',
  '#f4f1ec',
  '#e9e5de',
  '#dbd5cb',
  '#c2bab0',
  '#a0988d',
  '#6c655c',
  '#57514a',
  '#3d3934',
  '#24211e',
];
const darkShades: MantineColorsTuple = [
  '#e6e2dc',
  '#cbc6be',
  '#aca69d',
  '#837d75',
  '#4a4641',
  '#3b3733',
  '#2b2826',
  '#211f1d',
  '#191716',
  '#110f0e',
];

const SANS_SERIF_FONTS =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Cantarell, "Noto Sans", "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

/** The Mantine theme. Colours that differ between light and dark mode are in tokens.css. */
export const mantineTheme = createTheme({
  // Mantine components use `red` for errors.
  colors: {
    woad: blueShades,
    madder: redShades,
    weld: yellowShades,
    verdigris: greenShades,
    gray: grayShades,
    dark: darkShades,
    red: redShades,
  },
  primaryColor: 'woad',
  primaryShade: { light: 7, dark: 6 },
  black: '#24211e',
  fontFamily: SANS_SERIF_FONTS,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontFamily: SANS_SERIF_FONTS,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '22px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '36px' },
  shadows: {
    xs: '0 1px 2px rgb(36 33 30 / 6%)',
    sm: '0 1px 2px rgb(36 33 30 / 6%), 0 2px 8px rgb(36 33 30 / 5%)',
    md: '0 2px 4px rgb(36 33 30 / 6%), 0 8px 24px rgb(36 33 30 / 9%)',
    lg: '0 4px 8px rgb(36 33 30 / 7%), 0 18px 48px rgb(36 33 30 / 14%)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { fw: 550 } },
    // The default radius would make a small box round, like a radio button.
    Checkbox: { defaultProps: { radius: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // For dialogs, drawers and notifications.
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, fz: 'xs' } },
    Modal: {
      styles: { title: { fontSize: 16, fontWeight: 620, lineHeight: 1.3, overflowWrap: 'anywhere' } },
      // No blur: a backdrop filter takes 40 ms per frame on a machine without a GPU.
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.35 },
        // A header element of its own would be a landmark, and dialogs that are stacked would have two.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: { styles: { title: { fontSize: 16, fontWeight: 620, lineHeight: 1.3, overflowWrap: 'anywhere' } } },
    // The focus goes to the first item, not to a placeholder without a role.
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false } },
    Select: { defaultProps: { comboboxProps: { shadow: 'md' } } },
  },
});
