import {type QuestionEndJson} from '../../state/json/question.ts';
import {type CommandClient} from '../../control/client.ts';
import {type ParamsOf, type ResultOf} from '../../state/api.ts';
import {questionWords} from '../../state/answered.ts';
import {isJsonObject, lossInJson, parseJson} from '../../util/json-text.ts';
import {notOpened, showInBrowser} from '../../oauth/flows/open-browser.ts';
import {questionTable} from '../../state/entities/question.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {withClient, withRunning} from '../cli/connect-gateway.ts';
import {type Dialog} from '../cli/dialog.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords, onlyWord} from '../cli/words.ts';
import {openFieldByFieldForm, questionLines, questionStep} from './screen-reader-question.ts';

type Answer = ParamsOf<'questions.answer'>['answer'];

type Asked = NonNullable<ResultOf<'questions.show'>['question']>;

/** `sluice questions list`: what servers and runs ask a person now. Without a gateway nobody asks. */
export function runQuestionsList(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice questions list [--json]');
		const {signal} = context;
		const questions = await withClient(context, async client => client?.call('questions.list', {}, {signal}) ?? []);
		await printRows(context, questions, {
			...questionTable,
			none: 'No questions are waiting.',
		});
		return 0;
	});
}

const usage = 'sluice questions answer ID [--values JSON|--decline|--cancel] [--json]';

/** The variables of this terminal, which say whether it has a browser. */
type WithVariables = {readonly environment: Pick<Session['environment'], 'variables'>};

/** `sluice questions answer ID`: the values as JSON, or asked for field by field at a terminal. The gateway checks them against the form. */
export function runQuestionsAnswer(context: CommandContext, session: WithVariables): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, usage);
		const given = readAnswer(context.flags);
		const {variables} = session.environment;
		return withRunning(context, client => answer(context, client, {id, given, variables}));
	});
}

async function answer(
	context: CommandContext,
	client: CommandClient,
	{id, given, variables}: {readonly id: string; readonly given: Answer | undefined} & WithVariables['environment'],
): Promise<ExitCode> {
	const {signal} = context;
	const {question: asked, end} = given
		? {question: null, end: null}
		: await client.call('questions.show', {id}, {signal});
	const typed = asked ? await askPerson(context, asked) : given;
	const answered = typed
		? await client.call('questions.answer', {id: asked?.id ?? id, answer: typed}, {signal})
		: ({answer: 'already-settled', problem: null, end} as const);
	const open = typed?.kind === 'accept' && answered.answer === 'resolved' ? typed.open : undefined;
	if (open !== undefined && !(await showInBrowser(open, variables))) {
		context.stderr(`${notOpened}\n`);
	}

	if (context.flags.json) {
		context.stdout(jsonDocument({id, ...answered}));
	}

	switch (answered.answer) {
		case 'resolved':
			context.stderr('Answered.\n');
			return 0;
		case 'already-settled':
			context.stderr(`sluice: ${lateText(id, answered.end)}\n`);
			return 1;
		case 'unfit':
			context.stderr(
				`sluice: The values do not fit: ${safeText(answered.problem ?? '')}. The question is still waiting.\n`,
			);
			return 1;
	}
}

/** The earlier end of a question, with the one who answered. */
function lateText(id: string, end: QuestionEndJson): string {
	const name = safeText(id, {maximumCharacters: 100});
	return end
		? `The question ${name} is no longer waiting: it was ${safeText(questionWords({...end, by: end.by ?? undefined}))}`
		: `No waiting question has the id ${name}`;
}

/** The answer of the flags; undefined when there is none. Throws `bad_usage`. */
function readAnswer({values, decline, cancel}: CommandFlags): Answer | undefined {
	if ([values !== undefined, decline, cancel].filter(Boolean).length > 1) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	if (decline) {
		return {kind: 'decline'};
	}

	if (cancel) {
		return {kind: 'cancel'};
	}

	if (values === undefined) {
		return undefined;
	}

	const parsed = parseJson(values);
	if (!isJsonObject(parsed)) {
		throw new Problem('bad_usage', {message: '--values must be a JSON object'});
	}

	const loss = lossInJson(values, parsed);
	if (loss !== undefined) {
		throw new Problem('bad_usage', {message: `--values: ${loss}`});
	}

	return {kind: 'accept', values: parsed};
}

/** Asks field by field, as with `--screen-reader`. Throws `bad_usage` without a terminal. */
async function askPerson(context: CommandContext, asked: Asked): Promise<Answer> {
	const dialog = context.openDialog();
	if (!dialog) {
		throw new Problem('bad_usage', {message: 'Without a terminal it needs --values JSON, --decline or --cancel'});
	}

	try {
		return await converse(context, dialog, asked);
	} finally {
		dialog.close();
	}
}

async function converse(context: CommandContext, dialog: Dialog, asked: Asked): Promise<Answer> {
	const {url, ...rest} = asked;
	const origin = {kind: 'command-line'} as const;
	const row = {...rest, ...(url && {url}), origin, requestedAt: 0, expiresAt: 0, profile: ''};
	const print = (lines: readonly string[]) =>
		lines.forEach(line => context.printExact(`${safeText(line, {maximumCharacters: 10_000})}\n`));
	print(questionLines(row));
	let step: ReturnType<typeof questionStep> = {
		dialog: {kind: 'question', id: asked.id, form: openFieldByFieldForm(row)},
		calls: [],
		lines: [],
	};
	for (;;) {
		const text = await dialog.ask('>');
		if (step.dialog.kind !== 'question') {
			throw new Problem('cancelled');
		}

		step = questionStep(step.dialog, text, row);
		print(step.lines);
		const call = step.calls.find(one => one.method === 'questions.answer');
		if (call) {
			return call.params.answer;
		}
	}
}
