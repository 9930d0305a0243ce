import {describe, expect, test} from 'vitest';
import {statusOverlay} from '../../../../../src/app/status/status-page.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

describe('/status', () => {
  test('shows agent, folder and level', () => {
    const window = openWindow();
    const amounts = '2 of 5 min used';
    const limit = {name: 'turnMinutes', used: 2, limit: 5, text: '', amounts} as const;
    const {text} = statusOverlay(window.open, [limit]);
    expect(text).toMatch(/Agent +demo\n/);
    expect(text).toMatch(/Folder +\/project\n/);
    expect(text).toMatch(/Auto-approve +none/);
    expect(text).toMatch(/limits\.turnMinutes +2 of 5 min used$/);
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
    const {text} = statusOverlay(window.open, []);
    expect(text.match(/Ask first/g)).toHaveLength(1);
    expect(text).toMatch(/Title +Mine\n/);
  });
});
