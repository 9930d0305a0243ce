// Which folders may import which; ARCHITECTURE.md explains it.
const effects =
  '^src/(protocol|host|agents|download|attachments|search|git|settings|mcp|snapshots|storage|service|conversation|window|cli|modes|demo)/';
const parsers = '^src/text/markdown/(render|inline|code|highlight|html)\\.ts$';
const pure = '^src/(session|app|text|export|recording)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: {circular: true, viaOnly: {dependencyTypesNot: ['type-only']}},
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {orphan: true, pathNot: ['\\.d\\.ts$', '^src/main\\.ts$', '^src/demo/main\\.ts$']},
      to: {},
    },
    {
      name: 'shared-uses-no-layer',
      severity: 'error',
      from: {path: '^src/shared/'},
      to: {path: '^(src/(?!shared/|text/)|components/)'},
    },
    {
      name: 'only-main-runs-a-mode',
      severity: 'error',
      from: {path: '^(components|src/(?!main\\.ts$|modes/))'},
      to: {path: '^src/modes/'},
    },
    {
      name: 'modes-run-no-subcommand',
      comment: 'the runs of subcommands use them; run.ts and parse-arguments.ts load those',
      severity: 'error',
      from: {path: '^src/modes/(?!commands/|run\\.ts$|parse-arguments\\.ts$)'},
      to: {path: '^src/modes/commands/', pathNot: '-options\\.ts$'},
    },
    {
      name: 'storage-knows-no-agents',
      severity: 'error',
      from: {path: '^src/storage/'},
      to: {path: '^src/agents/'},
    },
    {
      name: 'snapshots-ask-no-host',
      comment: 'only the folder that no link can replace is shared',
      severity: 'error',
      from: {path: '^src/snapshots/'},
      to: {path: '^src/host/', pathNot: '^src/host/files/folder\\.ts$'},
    },
    {name: 'not-to-unresolvable', severity: 'error', from: {}, to: {couldNotResolve: true}},
    {
      name: 'pure-layers-have-no-effects',
      comment:
        'session, app, text, export and recording turn data into data: no Node, no processes, no files, no screen',
      severity: 'error',
      from: {path: pure},
      to: {
        path: [
          effects,
          '^components/',
          '^src/main\\.ts$',
          '/node_modules/(execa|conf|ink|react|commander|atomically)/',
        ],
      },
    },
    {name: 'pure-layers-use-no-node', severity: 'error', from: {path: pure}, to: {dependencyTypes: ['core']}},
    {
      name: 'pure-layers-take-only-types-of-the-sdk',
      severity: 'error',
      from: {path: [pure, '^components/']},
      to: {path: 'node_modules/@agentclientprotocol/', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'text-depends-on-nothing',
      severity: 'error',
      from: {path: '^src/text/'},
      to: {path: '^src/(session|app)/'},
    },
    {
      name: 'texts-are-parsed-in-a-thread',
      comment:
        'some texts take minutes: ask src/worker/background.ts, except where only a command waits for them',
      severity: 'error',
      from: {
        path: '^(src|components)/',
        pathNot: `${parsers}|^src/worker/tasks\\.ts$|^src/modes/commands/sessions/show-session\\.ts$`,
      },
      to: {
        path: `${parsers}|/node_modules/(marked|marked-terminal|lowlight|highlight\\.js)/`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'key-handlers-are-reached-through-their-index',
      comment: 'views and effects take selectors from the other folders of app',
      severity: 'error',
      from: {path: '^(components|src)/', pathNot: '^src/app/(handlers/|review/review-keys\\.ts$)'},
      to: {path: '^src/app/handlers/(?!index\\.ts$)'},
    },
    {
      name: 'session-knows-no-window',
      severity: 'error',
      from: {path: '^src/(session|export)/'},
      to: {path: '^src/app/'},
    },
    {
      name: 'protocol-knows-no-host',
      severity: 'error',
      from: {path: '^src/protocol/'},
      to: {path: '^src/(host|agents|conversation)/'},
    },
    {
      name: 'host-knows-no-protocol',
      severity: 'error',
      from: {path: '^src/host/'},
      to: {path: '^src/(protocol|agents|conversation)/'},
    },
    {
      name: 'windows-reach-sessions-through-actions-only',
      comment:
        'a session may outlive its windows, or run in another process: session/actions.ts, session/events.ts',
      severity: 'error',
      from: {
        path: '^src/window/',
        pathNot: '^src/window/sessions/(window-conversation|window-sessions|other-agents)\\.ts$',
      },
      to: {path: '^src/conversation/(?!options\\.ts$)', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'sessions-know-no-window',
      severity: 'error',
      from: {path: '^src/(conversation|host)/'},
      to: {path: '^src/(app|window)/'},
    },
    {
      name: 'only-conversation-and-modes-join-layers',
      severity: 'error',
      from: {path: '^src/(agents|snapshots|storage)/'},
      to: {path: '^src/(conversation|window|modes|demo)/'},
    },
    {
      name: 'arguments-are-read-without-effects',
      comment: 'only the runs of subcommands reach other layers',
      severity: 'error',
      from: {path: '^src/(?:cli/[^/]+|modes/commands/[^/]+/[^/]+-arguments)\\.ts$'},
      to: {path: '^src/(conversation|window|service|demo|host|protocol|modes/(?!commands/))/'},
    },
    {
      name: 'components-reach-effects-through-actions-only',
      severity: 'error',
      from: {path: '^components/'},
      to: {path: [effects, '^src/main\\.ts$', '/node_modules/execa/']},
    },
    {
      name: 'components-use-no-node',
      severity: 'error',
      from: {path: '^components/', pathNot: '^components/start\\.tsx$'},
      to: {dependencyTypes: ['core']},
    },
    {
      name: 'src-never-loads-the-screen',
      severity: 'error',
      from: {path: '^src/', pathNot: '^src/main\\.ts$'},
      to: {path: ['^components/', '/node_modules/(ink|react)/'], dependencyTypesNot: ['type-only']},
    },
    {
      name: 'main-loads-the-screen-lazily',
      severity: 'error',
      from: {path: '^src/main\\.ts$'},
      to: {path: '^components/', dependencyTypesNot: ['dynamic-import', 'type-only']},
    },
    {
      name: 'doctor-does-nothing-for-an-agent',
      comment: 'it has no host, so that no probe can touch files or run commands',
      severity: 'error',
      from: {path: '^src/modes/doctor/'},
      to: {path: '^src/(host|conversation|window|demo|cli)/'},
    },
    {
      name: 'consent-is-made-where-people-are-asked',
      comment: 'nothing is fetched and run unless a person agreed to it',
      severity: 'error',
      from: {
        path: '^(src|components)/',
        pathNot: '^src/(modes/commands/agents/install-agents|window/agents/install-agent)\\.ts$',
      },
      to: {path: '^src/agents/install/consent\\.ts$', dependencyTypesNot: ['type-only']},
    },
    {
      name: 'demo-is-no-part-of-the-client',
      comment: 'what makes an agent answer both versions of the protocol is shared',
      severity: 'error',
      from: {path: '^src/demo/'},
      to: {path: '^src/(?!demo/|protocol/agent-side/)'},
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: {path: 'node_modules'},
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
