import {commands, plannedCommands} from './command-table.ts';

const options = `
Options
  --home DIR         State directory (default: $SLUICE_HOME, else ~/.sluice)
  --profile NAME     Run one profile alone
  --demo             Throw-away state directory with demo servers, webhooks and a scripted client
  --no-tui           No window, as without a terminal
  --read-only        Show everything, decide nothing
  --ascii            Plain signs only
  --json             One JSON document on stdout (listing commands)
  --help, --version

Options of webhook subscribe; on update what is not named stays, an empty text takes it away
  --events CSV, --prompt TEMPLATE, --description TEXT
  --deliver TARGET, --deliver-chat-id ID, --deliver-only
  --cron-job JOB, --route-profile PROFILE

Examples
  sluice --demo
  sluice webhook subscribe alerts --events push --prompt 'Look at {ref}'
  sluice mcp tools --json
  sluice mcp call mcp__files__read_file --args '{"path":"notes.txt"}'
  sluice gateway run --log json
`;

/** The text of `--help`, made from the table of commands. */
export function helpText(): string {
	const width = Math.max(...commands.map(command => command.usage.length));
	const rows = commands.map(command =>
		width > 60 && command.usage.length > 44
			? `  ${command.usage}\n  ${' '.repeat(44)}  ${command.summary}`
			: `  ${command.usage.padEnd(44)}  ${command.summary}`,
	);
	return `Sluice, the agent gateway for your terminal\n\nUsage\n${rows.join('\n')}\n${options}\nNot supported yet: ${plannedCommands.join(', ')}\n`;
}
