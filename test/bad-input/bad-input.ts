import {readConfigText} from '../../source/config/read/load-config.ts';
import {webhookRefusals} from '../../source/config/webhooks/refusals.ts';
import {Problem, problemLine} from '../../source/util/problem.ts';

/** A wrong input and the whole of its answer. A row of a command line has the exit code as its code, and its stderr as its text. */
export type BadInput = {
	/** The input, in words. */
	readonly input: string;
	/** Gives the input to the part that reads it; problems may be thrown too. */
	readonly give: () => unknown;
	/** `code: text`, and ` → remedy` where it is not the one of the table of codes. A text that completes another has no code. */
	readonly says: readonly string[];
};

/** The answer to an input: its texts, and the texts that may name a command as a remedy. */
export type Answer = {readonly says: readonly string[]; readonly remedies: readonly string[]};

/** Gives a wrong input and returns the answer. Rejects with any error that is not a Problem. */
export async function answerTo({give}: BadInput): Promise<Answer> {
	const problems = [await resultOf(give)].flat();
	return {
		says: problems.map(answerText),
		remedies: problems.map(one => (one instanceof Problem ? one.remedy : String(one))),
	};
}

async function resultOf(give: () => unknown): Promise<unknown> {
	try {
		return await give();
	} catch (error) {
		if (error instanceof Problem) {
			return error;
		}

		throw error;
	}
}

function answerText(result: unknown): string {
	if (!(result instanceof Problem)) {
		return String(result);
	}

	const {code, remedy, level} = result;
	const own = remedy === new Problem(code, {scope: result.scope}).remedy ? '' : ` → ${remedy}`;
	return `${level === 'warning' ? 'warning ' : ''}${code}: ${problemLine(result)}${own}`;
}

/** A row of a config.yaml: all problems of the file, and the reasons that its webhook receiver does not start. */
export function inConfig(input: string, text: string, says: readonly string[]): BadInput {
	return {
		input,
		says,
		give() {
			const {config} = readConfigText('config.yaml', text, () => undefined);
			return [...config.problems, ...webhookRefusals(config.webhook, written => written)];
		},
	};
}
