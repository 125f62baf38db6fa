import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type SetUpPart} from './gateway-setup.ts';

const modes = ['deny', 'hold'] as const;
type Mode = (typeof modes)[number];

/** Says what happens to a call that asks while nobody is at a console. Rejects with `commands_denied` where commands may not change `approvals`. */
export async function setUpUnattended(
	context: CommandContext,
	{config, change, dialog}: SetUpPart,
): Promise<undefined> {
	const {unattended: given} = context.flags;
	const {unattended: present, commandLine} = config.config.approvals;
	if (given !== undefined && !isMode(given)) {
		throw new Problem('bad_usage', {message: '--unattended must be deny or hold'});
	}

	const mayChange = commandLine === 'allow';
	const mode = given ?? (dialog && mayChange ? await askForMode(context, {ask: dialog.ask, present}) : present);
	if (mode === present) {
		return undefined;
	}

	if (!mayChange) {
		throw new Problem('commands_denied', {
			message: 'Commands may not change `approvals` here (`approvals.cli: deny`)',
			remedy: 'Change `approvals.unattended` in config.yaml',
		});
	}

	change.config.set(['approvals', 'unattended'], mode);
	return undefined;
}

async function askForMode(
	{stderr}: CommandContext,
	{ask, present}: {readonly ask: (question: string, fallback: string) => Promise<string>; readonly present: Mode},
): Promise<Mode> {
	for (;;) {
		const question = 'Unattended calls: deny them, or hold them for `sluice approve`';
		const typed = await ask(question, present);
		if (isMode(typed)) {
			return typed;
		}

		stderr('Type deny or hold.\n');
	}
}

function isMode(text: string): text is Mode {
	return modes.some(mode => mode === text);
}
