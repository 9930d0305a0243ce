import type {DOMElement} from 'ink';
import {width} from '../../src/text/width.ts';

type DOMNode = DOMElement['childNodes'][number];

/** The width of each line of a frame in which everything stands one below the other. What was printed for good is left out. */
export function lineWidths(node: DOMElement): readonly number[] {
  if (node.internal_static) return [];
  if (node.nodeName === 'ink-text') return textOf(node).split('\n').map(width);
  return node.childNodes.flatMap((child) => (child.nodeName === '#text' ? [] : lineWidths(child)));
}

function textOf(node: DOMNode): string {
  return node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');
}
