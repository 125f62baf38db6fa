import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {reloadGateway} from '../cli/connect-gateway.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {copyConfigText} from './config-text.ts';
import {type EditedText, type TextEdit} from './text-edit.ts';

/** `sluice config edit`: opens a private copy of config.yaml in an editor, checks it, shows the difference and writes it, unless the file changed meanwhile. */
export async function runConfigEdit(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice config edit');
	const edit = await copyConfigText(session);
	let text: 'kept' | 'removed' = 'removed';
	const code = await runCommand(context, async () => {
		const edited = await editUntilValid(context, edit);
		if (edited.kind !== 'valid') {
			context.stderr('Nothing was changed.\n');
			return edited.kind === 'unchanged' ? 0 : 1;
		}

		// A valid text is worth keeping where it cannot be written.
		text = 'kept';
		await edit.write();
		text = 'removed';
		context.stdout(edited.difference);
		printNotes(context, edited.notes);
		await reloadGateway(context);
		return 0;
	});
	await (text === 'removed' ? edit.remove() : context.stderr(`Your text is in ${edit.path}.\n`));
	return code;
}

/** Edits until the text has no new error, or the person leaves. Without a terminal the first error ends it. */
async function editUntilValid(context: CommandContext, {edit}: TextEdit): Promise<EditedText> {
	for (;;) {
		const edited = await edit();
		context.signal.throwIfAborted();
		if (edited.kind !== 'broken') {
			return edited;
		}

		printNotes(context, edited.errors);
		if ((await context.confirm('Edit it again? No leaves config.yaml as it was.')) !== 'yes') {
			return edited;
		}
	}
}

function printNotes({stderr}: Pick<CommandContext, 'stderr'>, notes: readonly string[]): void {
	notes.forEach(note => stderr(`sluice: ${note}\n`));
}
