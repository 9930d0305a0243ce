import {createContext, useContext, type ReactNode} from 'react';
import type {DrawContext} from '../draw/draw.ts';

const ThemeContext = createContext<DrawContext | undefined>(undefined);

interface ThemeProviderProps {
  readonly theme: DrawContext;
  readonly children: ReactNode;
}

/** Gives everything inside its colors, symbols and width. */
export function ThemeProvider({theme, children}: ThemeProviderProps) {
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

/** Returns the colors, symbols and width of the place in the tree. */
export function useTheme(): DrawContext {
  const theme = useContext(ThemeContext);
  if (!theme) throw new Error('a part of the screen was rendered outside of a ThemeProvider');
  return theme;
}
