import {didYouMean} from '../../config/values/did-you-mean.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {readNamedId} from '../../util/id-part.ts';
import {Problem} from '../../util/problem.ts';
import {type ProblemCode} from '../../util/problem-codes.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command.ts';
import {jsonDocument} from './listing.ts';
import {runCommand} from './run-command.ts';
import {onlyWord} from './words.ts';

/** A row of a list as its JSON has it: found by its name, or by its id or a part of it. */
type ShownRow = {readonly id?: string; readonly name?: string; readonly profile?: string};

/** The list whose rows `show` prints. */
type ShownList<Row extends ShownRow> = {
	readonly noun: 'server' | 'route' | 'job' | 'rule';
	readonly usage: string;
	readonly rows: () => Promise<readonly Row[]>;
};

const unknownCodes = {
	server: 'unknown_server',
	route: 'unknown_route',
	job: 'unknown_job',
	rule: 'unknown_rule',
} as const satisfies Record<string, ProblemCode>;

/** `show NAME`: one row of a list, with all its members; with `--json` as its document. */
export function runShow<Row extends ShownRow>(context: CommandContext, list: ShownList<Row>): Promise<ExitCode> {
	return runCommand(context, async () => {
		const typed = onlyWord(context, list.usage);
		const row = rowNamed(typed, await list.rows(), list.noun);
		context.stdout(context.flags.json ? jsonDocument(row) : context.nameCommands(rowText(row)));
		return 0;
	});
}

/** The row of a name or id. Throws `ambiguous_id`, or the problem of a name that no row has. */
function rowNamed<Row extends ShownRow>(typed: string, rows: readonly Row[], noun: ShownList<Row>['noun']): Row {
	const named = rows.filter(({name}) => name === typed);
	const ids = rows.flatMap(({id}) => id ?? []);
	const id = named.length > 0 ? undefined : readNamedId(ids, typed);
	const [row, ...others] = id === undefined ? named : rows.filter(one => one.id === id);
	const shown = safeText(typed, {maximumCharacters: 60});
	if (others.length > 0) {
		const profiles = named.map(({profile = ''}) => profile).join(', ');
		throw new Problem('ambiguous_id', {
			message: `More than one ${noun} is named "${shown}", in the profiles ${profiles}`,
			remedy: 'Name the profile with `--profile`',
		});
	}

	if (!row) {
		const meant = didYouMean(
			typed,
			rows.flatMap(({name}) => name ?? []),
		);
		const hint = meant === undefined ? '' : `; did you mean "${safeText(meant, {maximumCharacters: 60})}"?`;
		const attribute = noun === 'rule' ? 'with the id' : 'named';
		throw new Problem(unknownCodes[noun], {message: `There is no ${noun} ${attribute} "${shown}"${hint}`});
	}

	return row;
}

/** The members of a row that have a value, a line each. */
function rowText(row: object): string {
	const lines = Object.entries(row).flatMap(([name, value]) => {
		const text = memberText(name, value);
		return text === '' ? [] : [`${name.replaceAll('_', ' ')}: ${safeText(text)}\n`];
	});
	return lines.join('');
}

function memberText(name: string, value: unknown): string {
	if (value === null || value === undefined) {
		return '';
	}

	if (typeof value === 'number' && /(?:_at|^at|^time)$/u.test(name)) {
		return dateAndTime(value);
	}

	if (Array.isArray(value)) {
		return value.map(item => memberText('', item)).join(', ');
	}

	return typeof value === 'string' ? value : JSON.stringify(value);
}
