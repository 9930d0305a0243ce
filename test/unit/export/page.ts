import {parse, type DefaultTreeAdapterTypes} from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A page as a browser parses it. */
export interface Page {
  readonly elements: readonly Element[];
  /** Those with this class, or of this element name without a dot. */
  readonly all: (selector: string) => readonly Element[];
}

export function readPage(html: string): Page {
  const elements = elementsIn(parse(html));
  return {
    elements,
    all: (selector) =>
      elements.filter((element) =>
        selector.startsWith('.')
          ? attribute(element, 'class')?.split(' ').includes(selector.slice(1))
          : element.tagName === selector,
      ),
  };
}

function elementsIn(node: Node): Element[] {
  const own = 'tagName' in node ? [node] : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(elementsIn)] : own;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

export function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
