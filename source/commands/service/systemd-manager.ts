import {existsSync, readFileSync} from 'node:fs';
import {findPackageJSON} from 'node:module';
import {dirname, isAbsolute, join} from 'node:path';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {firstLine, type RunTool, type ToolResult} from './run-tool.ts';
import {type ServiceManager, type ServiceParts} from './service-manager.ts';
import {readUnitState, unitProperties, unreachable} from './systemd-state.ts';
import {unitName, unitText} from './systemd-unit.ts';

type Options = ServiceParts & {
	readonly run: RunTool;
	readonly clock: Pick<Clock, 'now'>;
	readonly variables: Readonly<Record<string, string>>;
};

const lastLineCount = 10;

/** A unit of the user's own systemd: systemctl(1), `--user`. */
export function systemdManager(options: Options): ServiceManager {
	const {target, sameTargets, run, clock, variables, uid} = options;
	const name = unitName(target.profile);
	const shipped = shippedUnit();
	const systemctl = async (...args: readonly string[]) => reached(await run('systemctl', ['--user', ...args]), options);
	const must = async (...args: readonly string[]) => {
		const result = await systemctl(...args);
		if (result.code !== 0) {
			throw new Problem('service_failed', {message: `\`systemctl ${args[0]}\` failed: ${safeText(firstLine(result))}`});
		}
	};

	const state: ServiceManager['state'] = async () => {
		const {stdout} = await systemctl('show', name, `--property=${unitProperties}`);
		return readUnitState(stdout, {uptime: Number(process.hrtime.bigint() / 1_000_000n), now: clock.now()});
	};

	return {
		kind: 'systemd',
		name,
		path: join(configHome(variables, target.userHome), 'systemd', 'user', name),
		texts: [unitText(shipped, target), ...sameTargets.map(same => unitText(shipped, same))],
		async check() {
			const result = await systemctl('show', '--property=Version');
			if (result.code !== 0) {
				throw unreachableProblem(firstLine(result), options);
			}
		},
		state,
		async start() {
			await must('daemon-reload');
			const {run: before} = await state();
			await must('enable', '--now', name);
			if (before === 'running') {
				await must('restart', name);
			}
		},
		stop: () => must('disable', '--now', name),
		async forget() {
			await must('daemon-reload');
			// A failure of a unit that is gone would go on standing in lists.
			await systemctl('reset-failed', name);
		},
		lastLines: () => lastLines(run, name),
		logCommand: `journalctl --user --unit ${name.replace('.service', '')}`,
		lingers: () => lingers(run, uid),
		notes,
	};
}

async function lastLines(run: RunTool, name: string): Promise<readonly string[]> {
	const lines = ['--lines', String(lastLineCount), '--output', 'cat', '--no-pager', '--quiet'];
	const result = await run('journalctl', ['--user', '--unit', name, ...lines]);
	return result.kind === 'ended' && result.code === 0 ? result.stdout.split('\n').filter(Boolean) : [];
}

/** True if systemd runs for this user without a session; null: unknown. loginctl(1), enable-linger. */
async function lingers(run: RunTool, uid: number): Promise<boolean | null> {
	const result = await run('loginctl', ['show-user', String(uid), '--property=Linger', '--value']);
	if (result.kind === 'missing') {
		return null;
	}

	const isOff = /not logged in or lingering/u.test(result.stderr) || result.stdout.trim() === 'no';
	return isOff ? false : result.stdout.trim() === 'yes' ? true : null;
}

function notes(linger: boolean | null): readonly string[] {
	const login =
		'It stops when your last session ends, and starts at your next login. `loginctl enable-linger` keeps it running, and starts it at boot.';
	return [
		...(linger === true ? [] : [login]),
		'Variables of your shell do not reach it: keep keys in `.env` of the state directory.',
		'Servers that start with npx or uvx need a cache that they may write: add `pass_env: [npm_config_cache, UV_CACHE_DIR]` to their entries. Other folders are read-only to it; `ReadWritePaths=` in a drop-in allows more.',
		'To keep agents with a shell as your user out, run it as another user (docs/deployment.md, Another user).',
	];
}

/** The folder of user units: systemd.unit(5), User Unit Search Path. A relative path counts as unset, by the XDG specification. */
function configHome(variables: Readonly<Record<string, string>>, userHome: string): string {
	const set = variables['XDG_CONFIG_HOME'] ?? '';
	return isAbsolute(set) ? set : join(userHome, '.config');
}

/** The unit in the package. */
function shippedUnit(): string {
	const manifest = findPackageJSON(import.meta.url) ?? '';
	return readFileSync(join(dirname(manifest), 'assets', 'sluice.service'), 'utf8');
}

function reached(result: ToolResult, options: Options) {
	if (result.kind === 'missing') {
		throw unreachableProblem(undefined, options);
	}

	return result;
}

function unreachableProblem(said: string | undefined, {variables, uid}: Options): Problem {
	return new Problem(
		'service_unavailable',
		unreachable({
			said: said === undefined ? undefined : safeText(said),
			booted: existsSync('/run/systemd/system'),
			runtimeDirectory: variables['XDG_RUNTIME_DIR'],
			uid,
		}),
	);
}
