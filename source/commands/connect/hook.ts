import {unknownWord} from '../../config/values/did-you-mean.ts';
import {type HookAnswer, type HookCall, type HookDecision} from '../../config/hooks/hook-call.ts';
import {callerOf, type HookProgram, hookPrograms, isHookProgram} from '../../config/hooks/hook-programs.ts';
import {guardedKind, hookServer} from '../../config/hooks/hook-tools.ts';
import {hookProgramNames} from '../../config/programs/program-names.ts';
import {callOnce} from '../../control/single-call.ts';
import {type HookedCall} from '../../state/hook-decision.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {isJsonObject, lossInJson, ownMember, parseJson} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';

/** More than the arguments of any call; the socket takes little more. */
const maxInputBytes = 4 * 1024 * 1024;

/** The time before the program's own limit in which the answer goes out. */
const marginSeconds = 10;

/** A gateway that is asked to answer at once and does not is as good as none. */
const atOnceSeconds = 10;

/** `sluice hook PROGRAM`: one decision about one call, in the words of the program. A failure never looks like an allowance. */
export async function runHook(context: CommandContext, input: AsyncIterable<unknown>): Promise<ExitCode> {
	const [name = '', ...others] = context.arguments;
	if (!isHookProgram(name) || others.length > 0) {
		throw new Problem('bad_usage', {
			message:
				name === ''
					? 'Usage: sluice hook PROGRAM'
					: unknownWord(name, {noun: 'program with hooks', words: hookProgramNames}),
		});
	}

	const {stdout, stderr, exitCode} = await answerHook(hookPrograms[name], context, input);
	context.stdout(stdout);
	context.stderr(stderr);
	return exitCode;
}

type Reach = Pick<CommandContext, 'paths' | 'clock' | 'signal'>;

async function answerHook(asked: HookProgram, context: Reach, input: AsyncIterable<unknown>): Promise<HookAnswer> {
	try {
		const text = await untilAborted(readInput(input), context.signal);
		const payload = parseJson(text);
		if (!isJsonObject(payload)) {
			return asked.refuse('The input of the hook is not a JSON object');
		}

		const program = callerOf(payload);
		if (!program) {
			return asked.refuse('The input of the hook is not that of a program that Sluice knows');
		}

		const reading = program.read(payload);
		switch (reading.kind) {
			case 'other-event':
				return nothingToSay(program);
			case 'unreadable':
				return program.refuse(reading.reason);
			case 'call': {
				const loss = lossInJson(text, payload);
				const event = program.events[reading.call.event];
				if (loss !== undefined || !event) {
					return program.refuse(loss ?? 'The event is not known');
				}

				return event.answer(await decide({program, via: asked, call: reading.call, waits: event.waits}, context));
			}
		}
	} catch (caught) {
		return asked.refuse(safeText(toProblem(caught).message));
	}
}

function nothingToSay(program: HookProgram): HookAnswer {
	const [event] = Object.values(program.events);
	return event ? event.answer({kind: 'nothing'}) : program.refuse('It has no events');
}

/** Rejects with `bad_usage` for more than 4 MB. */
async function readInput(input: AsyncIterable<unknown>): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of input) {
		const part = Buffer.from(chunk as Uint8Array);
		bytes += part.length;
		if (bytes > maxInputBytes) {
			throw new Problem('bad_usage', {message: 'The input of the hook is longer than 4 MB'});
		}

		chunks.push(part);
	}

	return Buffer.concat(chunks).toString('utf8');
}

type Hooked = {
	readonly program: HookProgram;
	/** The program of the hook command, which another one may have run. */
	readonly via: HookProgram;
	readonly call: HookCall;
	readonly waits: HookProgram['events'][string]['waits'];
};

async function decide({program, via, call, waits}: Hooked, context: Reach): Promise<HookDecision> {
	const {tool, input, cwd, session, toolUseId, mode} = call;
	// Sluice asks about them itself, when the program calls them.
	if (program.own.test(tool)) {
		return {kind: 'nothing'};
	}

	const isGuarded = guardedKind(hookServer(program.name), tool) !== undefined;
	const isWaiting = waits === 'every-tool' || (waits === 'guarded-tools' && isGuarded);
	const seconds = isWaiting ? program.timeoutSeconds - marginSeconds : atOnceSeconds;
	const deadline = openDeadline(context.clock, seconds * 1000, {
		signal: context.signal,
		reason: () => new Problem('timed_out', {message: 'Nobody answered in the time that the program gives its hooks'}),
	});
	try {
		const asked: HookedCall = {
			program: program.name,
			via: via.name,
			waits: isWaiting ? 'person' : 'at-once',
			mode,
			tool,
			input,
			...(cwd !== undefined && {cwd}),
			...(session !== undefined && {session}),
			...(toolUseId !== undefined && {tool_use_id: toolUseId}),
		};
		return await ask(asked, {...context, signal: deadline.signal});
	} catch (caught) {
		const message = `Sluice cannot decide about it: ${safeText(toProblem(caught).message)}`;
		// At once, the program's own way is to ask, unless it never does in this mode.
		return isWaiting || mode === 'never-asks' ? {kind: 'undecided', message} : {kind: 'nothing'};
	} finally {
		deadline.cancel();
	}
}

/** Rejects where no gateway decides. */
async function ask(asked: HookedCall, {paths, signal}: Reach): Promise<HookDecision> {
	const {controlSocket, multiplexer, typedProfile} = paths;
	const request = {method: 'hooks.decide', params: asked} as const;
	const own = await callOnce(controlSocket, {...request, profile: typedProfile}, signal);
	const result =
		own ??
		(multiplexer && (await callOnce(multiplexer.controlSocket, {...request, profile: multiplexer.profile}, signal)));
	if (!result) {
		throw new Problem('gateway_not_running');
	}

	const decision = ownMember(result, 'decision');
	const message = ownMember(result, 'message');
	const reason = typeof message === 'string' ? message : '';
	if (decision === 'allow' || decision === 'nothing') {
		return {kind: decision};
	}

	if (decision === 'deny' || decision === 'undecided') {
		return {kind: decision, message: `Sluice: ${safeText(reason)}`};
	}

	throw new Problem('control_failed', {message: 'The running gateway gave another answer than those known here'});
}
