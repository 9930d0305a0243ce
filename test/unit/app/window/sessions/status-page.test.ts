import {describe, expect, test} from 'vitest';
import {openWindow} from '../../../../support/window/app-window.ts';

describe('/status', () => {
  test('shows agent, folder and level', () => {
    const window = openWindow();
    window.say('/status');
    const {overlay} = window.state;
    expect(overlay).toMatchObject({kind: 'text', title: 'Status'});
    const text = overlay.kind === 'text' ? overlay.text : '';
    expect(text).toMatch(/Agent +demo\n/);
    expect(text).toMatch(/Folder +\/project\n/);
    expect(text).toMatch(/Auto-approve +none/);
  });

  test("shows a mode that is an option once, and the session's title", () => {
    const window = openWindow();
    const mode = {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select' as const,
      currentValue: 'ask',
      options: [{value: 'ask', name: 'Ask first'}],
    };
    window.agent({type: 'config_options_set', configOptions: [mode]});
    window.agent({type: 'renamed', title: 'Mine', agentKnows: false});
    window.say('/status');
    const {overlay} = window.state;
    const text = overlay.kind === 'text' ? overlay.text : '';
    expect(text.match(/Ask first/g)).toHaveLength(1);
    expect(text).toMatch(/Title +Mine\n/);
  });
});
