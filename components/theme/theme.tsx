import {createContext, useContext, type ReactNode} from 'react';
import type {Draw} from '../draw/draw.ts';

const ThemeContext = createContext<Draw | undefined>(undefined);

interface ThemeProviderProps {
  readonly theme: Draw;
  readonly children: ReactNode;
}

/** Gives everything inside its colors, symbols and width. */
export function ThemeProvider({theme, children}: ThemeProviderProps) {
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

/** Returns the colors, symbols and width of the place in the tree. */
export function useTheme(): Draw {
  const theme = useContext(ThemeContext);
  if (!theme) throw new Error('a part of the screen was rendered outside of a ThemeProvider');
  return theme;
}
