import {spawn} from 'node:child_process';
import {globSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {parse} from 'yaml';
import * as z from 'zod';

/** The revisions of the protocol whose requirements are run. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** One scenario of a requirement set. Only those that are required decide. */
export type Scenario = {readonly revision: Revision; readonly name: string; readonly required: boolean};

/** The end of a scenario. */
export type Verdict = {
	readonly passed: number;
	readonly failed: readonly string[];
	readonly outcome: 'passed' | 'failed';
};

const requirementsSchema = z.object({
	client: z.array(z.string()),
	not_scored: z.array(z.object({scenario: z.string(), leg: z.string()})),
});
const checksSchema = z.array(z.object({name: z.string(), status: z.string(), errorMessage: z.string().optional()}));

// The package exports nothing: it is a program.
const folder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));

/** The client scenarios of a requirement set, those that are only reported last. */
export function scenariosOf(revision: Revision): readonly Scenario[] {
	const text = readFileSync(join(folder, 'requirements', `${revision}.yaml`), 'utf8');
	const {client, not_scored: others} = requirementsSchema.parse(parse(text));
	const reported = others.filter(({leg}) => leg === 'client').map(({scenario}) => scenario);
	return [
		...client.map(name => ({revision, name, required: true})),
		...reported.map(name => ({revision, name, required: false})),
	];
}

/** Runs one scenario against `command`; the suite writes what it saw below `output`. Ends by itself within bounded time. */
export async function runScenario(
	{revision, name}: Scenario,
	options: {
		/** The side under test, in the words of the suite. */
		readonly subject: readonly ['client', '--command', string] | readonly ['server', '--url', string];
		readonly output: string;
		/** Failed checks that do not count. */
		readonly isExcused?: (check: string) => boolean;
	},
): Promise<Verdict> {
	const output = join(options.output, revision, name.replaceAll('/', '-'));
	const suite = ['--disable-warning=DEP0190', join(folder, 'dist', 'index.js'), ...options.subject];
	const choice = ['--scenario', name, '--spec-version', revision];
	const words = [...suite, ...choice, '--output-dir', output];
	const exitCode = await new Promise<number | null>((resolve, reject) => {
		const child = spawn(process.execPath, words, {stdio: 'ignore', timeout: 60_000, killSignal: 'SIGKILL'});
		child.on('error', reject);
		child.on('close', resolve);
	});
	const [file] = globSync('**/checks.json', {cwd: output});
	const checks = file ? checksSchema.parse(JSON.parse(readFileSync(join(output, file), 'utf8'))) : [];
	const failed = checks
		.filter(({status, name: check}) => isFailure(status) && !options.isExcused?.(check))
		.map(check => `${check.name}: ${check.errorMessage ?? check.status}`);
	return {
		passed: checks.filter(({status}) => status === 'SUCCESS').length,
		failed: checks.length === 0 ? ['the suite saw nothing'] : failed,
		outcome: checks.length > 0 && (exitCode === 0 || (options.isExcused && failed.length === 0)) ? 'passed' : 'failed',
	};
}

function isFailure(status: string): boolean {
	return status === 'FAILURE' || status === 'WARNING';
}

/** The server scenarios of a requirement set. */
export function requiredServerScenarios(revision: Revision): readonly string[] {
	const text = readFileSync(join(folder, 'requirements', `${revision}.yaml`), 'utf8');
	return z.object({server: z.array(z.string())}).parse(parse(text)).server;
}
