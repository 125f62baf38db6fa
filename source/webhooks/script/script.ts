import {realpath, stat} from 'node:fs/promises';
import {dirname, resolve, sep} from 'node:path';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {cutText, isJsonObject, type JsonValue, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {createSlots, type Slots} from '../../util/slots.ts';
import {type Outcome} from '../http/outcome.ts';
import {exactDigits, parseExactJson} from '../payload/exact-json.ts';
import {type TemplateScope} from '../template/template.ts';
import {type ProcessEnd, runProcess} from './script-process.ts';

/** The scripts folder and the environment of scripts. */
export type ScriptSettings = {
	/** The profile's folder of scripts. */
	readonly directory: string;
	/** The Python interpreter: SLUICE_PYTHON, else python3. */
	readonly python: () => string;
	/** The inherited environment, without the gateway's secrets. */
	readonly environment: Readonly<Record<string, string>>;
	/**
	Called before a process starts; the returned function registers its process group, so that none outlives a killed gateway, and returns
	the function that removes it.
	*/
	readonly guard: () => (group: number) => () => void;
};

/** The files of a profile that routes use. */
export type ProfileFiles = {
	/** The directory of relative `in_file` paths. */
	readonly directory: string;
	readonly scripts: ScriptSettings;
};

/** The output of a script, up to 4,000 characters, or why it failed; and the resulting payload, or how the request ends. */
type ScriptEnd = {
	readonly output: string;
	readonly result: {readonly kind: 'payload'; readonly payload: JsonValue} | Outcome;
};

/** Never rejects. */
export type RunScript = (
	script: {readonly file: string; readonly profile: string | undefined},
	scope: TemplateScope,
) => Promise<ScriptEnd>;

const tracedCharacters = 4000;
const longestMilliseconds = 30_000;
const maxOutputBytes = 1_048_576;
const maxAtOnce = 16;
const maxWaiting = 256;
/** Below the ten seconds after which most senders give up. */
const maxWaitMilliseconds = 8000;

/** Runs the scripts of routes: one process each, at most sixteen at once per route; the others wait (docs/webhook-routes.md, Scripts). */
export function createScripts(options: {
	readonly settings: ScriptSettings;
	/** The settings of another profile; undefined when it is not served. */
	readonly settingsOf?: (profile: string) => ScriptSettings | undefined;
	readonly clock: Clock;
	/** Aborts when the adapter stops waiting for open requests. */
	readonly signal: AbortSignal;
	/** Called with the reason why a script failed. */
	readonly reportFault: (route: string, fault: string) => void;
}): RunScript {
	const {settings, settingsOf, clock, signal, reportFault} = options;
	const takeSlot = createRouteSlots({clock, signal});
	return async ({file, profile}, scope) => {
		const {route, payload} = scope;
		const used = (profile === undefined ? undefined : settingsOf?.(profile)) ?? settings;
		const release = await takeSlot(route);
		if (!release) return {output: '', result: {kind: signal.aborted ? 'stopping' : 'busy'}};
		const end = await run(file, scope, {settings: used, clock, signal}).finally(release);
		if (end.kind === 'aborted') return {output: '', result: {kind: 'stopping'}};
		const ignored: Outcome = {kind: 'script-ignored', route};
		if (end.kind !== 'ended' || end.code !== 0) {
			const fault = faultOf(end);
			reportFault(route, fault);
			return {output: cutText(fault, tracedCharacters), result: ignored};
		}

		const {output} = end;
		const changed = readScriptOutput(output, payload);
		return {
			output: cutText(output, tracedCharacters),
			result: changed === undefined ? ignored : {kind: 'payload', payload: changed},
		};
	};
}

/** Waits for one of the slots of a route; undefined when too many wait, after the longest wait, or when the signal aborts. */
function createRouteSlots({clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal}) {
	const slotsOf = new Map<string, Slots>();
	const refusal = () => new Problem('cancelled');
	return async (route: string): Promise<(() => void) | undefined> => {
		const slots = slotsOf.get(route) ?? createSlots(maxAtOnce, {maxWaiting, refusal});
		slotsOf.set(route, slots);
		const deadline = openDeadline(clock, maxWaitMilliseconds, {signal, reason: refusal});
		try {
			const release = await slots.take(deadline.signal);
			return () => {
				release();
				if (slots.areFree()) {
					slotsOf.delete(route);
				}
			};
		} catch {
			return undefined;
		} finally {
			deadline.cancel();
		}
	};
}

async function run(
	script: string,
	scope: TemplateScope,
	options: {readonly settings: ScriptSettings; readonly clock: Clock; readonly signal: AbortSignal},
): Promise<ProcessEnd> {
	const {settings, clock, signal} = options;
	const file = await findScript(settings.directory, script);
	if (file === undefined) {
		return {kind: 'not-started', reason: 'the file does not exist below scripts/'};
	}

	const request = {
		command: /\.(?:sh|bash)$/u.test(file) ? 'bash' : settings.python(),
		args: [file],
		directory: dirname(file),
		environment: {...settings.environment, ...eventVariables(scope)},
		input: JSON.stringify(scope.payload),
		milliseconds: longestMilliseconds,
		outputBytes: maxOutputBytes,
	};
	return runProcess(request, {clock, signal, guard: settings.guard});
}

/** No variable can contain a NUL, and the event type comes from the payload. */
function eventVariables({event, route, deliveryId}: TemplateScope): Record<string, string> {
	return {
		SLUICE_EVENT_TYPE: event.replaceAll('\0', ''),
		SLUICE_ROUTE: route.replaceAll('\0', ''),
		SLUICE_DELIVERY_ID: deliveryId.replaceAll('\0', ''),
	};
}

function faultOf(end: Exclude<ProcessEnd, {readonly kind: 'aborted'}>): string {
	switch (end.kind) {
		case 'ended':
			return `it ended ${end.code === null ? 'by a signal' : `with code ${end.code}`}${end.errors === '' ? '' : `: ${end.errors}`}`;
		case 'not-started':
			return end.reason;
		case 'timed-out':
			return `it took longer than ${longestMilliseconds / 1000} seconds`;
		case 'too-much-output':
			return 'it wrote more than 1 MB';
	}
}

/**
The real path of a script, or undefined when there is no such file below `directory`: neither `..`, an absolute path nor a symbolic link can leave it
(docs/webhook-routes.md, Scripts). Run the checked path.
*/
export async function findScript(directory: string, script: string): Promise<string | undefined> {
	try {
		const home = await realpath(directory);
		const file = await realpath(resolve(home, script));
		return file.startsWith(home + sep) && (await stat(file)).isFile() ? file : undefined;
	} catch {
		return undefined;
	}
}

/**
The payload from the stdout of a script; undefined when it ignores the event (docs/webhook-routes.md, Scripts).
Text output with a payload that is not an object: the payload moves to the member `payload`.
*/
export function readScriptOutput(output: string, payload: JsonValue): JsonValue | undefined {
	const text = output.trim();
	if (text === '' || text === '[SILENT]') {
		return undefined;
	}

	const json = parseExactJson(text);
	if (isMapping(json)) {
		return ownMember(json, '__hermes_ignore__') === true ? undefined : json;
	}

	return {...(isMapping(payload) ? payload : {payload}), script_output: text};
}

/** A number with exact digits is an object at run time. */
function isMapping(value: JsonValue | undefined): value is {readonly [name: string]: JsonValue} {
	return isJsonObject(value) && exactDigits(value) === undefined;
}
