import {access, constants} from 'node:fs/promises';
import {delimiter, isAbsolute, join} from 'node:path';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type Expand, routeRefusals} from '../../config/webhooks/refusals.ts';
import {type JsonValue} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {type ProblemCode, problemCodes} from '../../util/problem-codes.ts';
import {createListFiles, listPaths} from '../../webhooks/filters/list-file.ts';
import {prepareRoute} from '../../webhooks/routes/prepared-route.ts';
import {findScript} from '../../webhooks/script/script.ts';
import {unclosedBraces} from '../../util/templates/template-variables.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, trouble} from './finding.ts';
import {type KeyPlace} from './run-parts.ts';

// The parts of a route itself, apart from those of its runs.

type Part = {readonly check: string; readonly place: KeyPlace};

/** The reasons that a route is refused, and all of its parts that cannot be used: one reason hides no other. */
export function preparationTroubles(
	route: RouteConfig,
	{check, place, host, expand}: Part & {readonly host: string; readonly expand: Expand},
): readonly Finding[] {
	const refusals = routeRefusals(route, host, expand);
	const isRefused = (code: ProblemCode) => refusals.some(refusal => refusal.code === code);
	const flaws = prepareRoute(route, {expand, lists: createListFiles('')}).problems.filter(({code}) => !isRefused(code));
	return [...refusals, ...flaws].map(({code, level, message}) =>
		trouble(check, level, {message, remedy: preparationRemedies[code]?.(place) ?? problemCodes[code].remedy}),
	);
}

/** The remedies for refused routes, by the code of the refusal. */
const preparationRemedies: Partial<Record<ProblemCode, (place: KeyPlace) => string>> = {
	route_without_secret: place =>
		`Set ${place('secret')}, or a variable that it names; \`openssl rand -hex 32\` makes a secret`,
	insecure_public_bind: place =>
		`Set \`platforms.webhook.host\` to 127.0.0.1, or ${place('secret')} to a secret; \`openssl rand -hex 32\` makes one`,
	deliver_only_without_target: place =>
		`Set ${place('deliver')} to another target than log, or remove \`deliver_only\``,
	deliver_list_invalid: place => `Name at least one target in ${place('deliver')}, and each entry once`,
	deliver_only_with_cron: place => `Remove \`deliver_only\` or ${place('cron_job')}`,
	coalesce_conflict: place => `Remove ${place('coalesce')}, or \`deliver_only\` and \`cron_job\``,
	respond_conflict: place => `Remove ${place('respond')}, or \`cron_job\` and \`coalesce\``,
	pattern_refused: place => `Rewrite the \`regex\` in ${place('filters')} without lookaround and backreferences`,
};

/** Lists of `in_file` filters that cannot be read. */
export async function listTroubles(
	{filters}: RouteConfig,
	{paths}: CheckedProfile,
	{check, place}: Part,
): Promise<readonly Finding[]> {
	const lists = createListFiles(paths.directory);
	const findings = [...new Set(filters.flatMap(listPaths))].map(async path => {
		const file = isAbsolute(path) ? path : join(paths.directory, path);
		return (await lists.read(path)) === undefined
			? [
					trouble(check, 'error', {
						message: `Its filter needs the list ${path}, which cannot be read, so the filter matches nothing`,
						remedy: `Write ${file} with one value in each line, or correct \`in_file\` in ${place('filters')}`,
					}),
				]
			: [];
	});
	return (await Promise.all(findings)).flat();
}

/** A script that is missing, cannot be read, or has no program that runs it. */
export async function scriptTroubles(
	{script}: RouteConfig,
	{paths, scope}: CheckedProfile,
	{check, place}: Part,
): Promise<readonly Finding[]> {
	if (script === undefined) {
		return [];
	}

	const file = await findScript(paths.scripts, script);
	if (file === undefined) {
		const message = `There is no script ${script} in scripts/`;
		const remedy = `Put it at ${join(paths.scripts, script)}, or correct ${place('script')}`;
		return [trouble(check, 'error', {message, remedy})];
	}

	const isShell = /\.(?:sh|bash)$/u.test(file);
	const program = isShell ? 'bash' : (scope.variables('SLUICE_PYTHON') ?? 'python3');
	const canRead = await isAccessible(file, constants.R_OK);
	return [
		...(canRead
			? []
			: [
					trouble(check, 'error', {
						message: `The script ${file} cannot be read`,
						remedy: `chmod u+r ${shellWord(file)}`,
					}),
				]),
		...((await findProgram(program, scope.variables('PATH'))) === undefined
			? [
					trouble(check, 'error', {
						message: `The script ${script} cannot be run: the program ${program} was not found`,
						remedy: isShell
							? 'Install bash, or put its folder into PATH'
							: `Install Python 3, or add the line SLUICE_PYTHON=… with the path of a Python to ${paths.env}`,
					}),
				]
			: []),
	];
}

/** The file that a command starts, found as the system finds it; undefined when there is none that can be run. */
export async function findProgram(command: string, path: string | undefined): Promise<string | undefined> {
	const candidates = command.includes('/')
		? [command]
		: (path ?? '').split(delimiter).map(folder => join(folder || '.', command));
	for (const candidate of candidates) {
		if (await isAccessible(candidate, constants.X_OK)) {
			return candidate;
		}
	}

	return undefined;
}

function isAccessible(file: string, mode: number): Promise<boolean> {
	return access(file, mode).then(
		() => true,
		() => false,
	);
}

/** Variables in templates whose brace is never closed: they stay as they are written. */
export function templateTroubles({prompt, deliver, coalesce}: RouteConfig, {check, place}: Part): readonly Finding[] {
	const templates = [
		['prompt', [prompt ?? '']],
		['deliver_extra', deliver.flatMap(({extra}) => textsIn(extra))],
		['coalesce', [coalesce?.key ?? '']],
	] as const;
	return templates.flatMap(([key, texts]) =>
		texts.flatMap(unclosedBraces).map(variable =>
			trouble(check, 'warning', {
				message: `\`${key}\` has {${variable} without a closing brace, so it is not replaced`,
				remedy: `Write {${variable}} in ${place(key)}`,
			}),
		),
	);
}

function textsIn(value: JsonValue): readonly string[] {
	return typeof value === 'string'
		? [value]
		: typeof value === 'object' && value !== null
			? Object.values(value).flatMap(textsIn)
			: [];
}
