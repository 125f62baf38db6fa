import {existsSync} from 'node:fs';
import {type Problem, toProblem} from '../../util/problem.ts';
import {openDeadline, untilAborted} from '../../util/clock.ts';
import {otherProfileNames, profileDirectories} from '../../gateway/profiles/other-profiles.ts';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {type CheckedProfile, openCheckedProfile} from './checked-profile.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {problemFinding} from './remedy.ts';
import {readStoredDocuments} from './stored-documents.ts';
import {platformRemedy, runTroubles} from './run-parts.ts';

type CheckOptions = {
	/** `files`: nothing is connected to. */
	readonly reach: 'network' | 'files';
	readonly context: CommandContext;
};

/** Servers have ten seconds to answer a list, and a client document five. */
const longestMilliseconds = 30_000;

/** Checks all parts of a profile, and of the profiles served with it. Changes nothing; a part that cannot be read is a finding, too. */
export async function runChecks(session: Session, options: CheckOptions): Promise<readonly Finding[]> {
	const {signal} = options.context;
	const main = await openCheckedProfile(session, session.paths.profile, signal);
	const others = await Promise.all((await otherNames(main)).map(name => openCheckedProfile(session, name, signal)));
	const documentsOf = await readStoredDocuments(main, {...options, signal});
	const stored = (profile: typeof main): CheckedProfile => ({...profile, documents: documentsOf(profile.paths)});
	try {
		return withoutRepeats(await checkAll(session, [stored(main), ...others.map(stored)], options));
	} finally {
		[main, ...others].forEach(({close}) => close());
	}
}

async function otherNames({loaded, paths}: Pick<CheckedProfile, 'loaded' | 'paths'>): Promise<readonly string[]> {
	return paths.profile === defaultProfile
		? otherProfileNames(loaded.config.gateway.profiles, await profileDirectories(paths.root))
		: [];
}

async function checkAll(
	session: Session,
	profiles: readonly [CheckedProfile, ...CheckedProfile[]],
	options: CheckOptions,
): Promise<readonly Finding[]> {
	const [main] = profiles;
	const {clock} = session;
	const {signal} = options.context;
	const bounded = createBounded(session, signal);
	const {checkFiles} = await import('./doctor-files.ts');
	const {checkGateway, checkJournal} = await import('./doctor-gateway.ts');
	const {checkService} = await import('./doctor-service.ts');
	const files = await checkFiles(main.paths, main.checkName);
	const gateway = await bounded('gateway', own => checkGateway(main, own));
	const service = await bounded('service', own => checkService(main, {session, reach: options.reach, signal: own}));
	// A look makes no folders, so without the state directory there is nothing more to look at.
	if (!existsSync(main.paths.directory) || files.some(finding => finding.level === 'error')) {
		return [...files, ...main.findings, ...configFindings(main), ...gateway, ...service];
	}

	// The disk of a journal that its gateway reports may hang.
	const isReported = gateway.some(({check}) => check === 'journal');
	const {findings, journal} = isReported
		? {findings: [], journal: undefined}
		: await checkJournal(main, {reach: options.reach, signal});
	const {checkDeliveries, checkRoutes} = await import('./doctor-routes.ts');
	try {
		const parts = await Promise.all(
			profiles.map(profile => checkProfile(profile, main, {...options, session, bounded})),
		);
		const routes = await bounded('routes', own => checkRoutes({main, profiles, clock, journal, signal: own}));
		const {checkPrograms} = await import('./doctor-programs.ts');
		const programs = await bounded('programs', () => checkPrograms(main, session));
		const deliveries = await bounded('deliveries', own => checkDeliveries(main, {journal, signal: own}));
		return [
			...files,
			...main.findings,
			...gateway,
			...service,
			...findings,
			...parts.flat(),
			...routes,
			...deliveries,
			...programs,
		];
	} finally {
		await journal?.close();
	}
}

async function checkProfile(
	profile: CheckedProfile,
	main: CheckedProfile,
	{
		reach,
		session,
		bounded,
	}: CheckOptions & {readonly session: Session; readonly bounded: ReturnType<typeof createBounded>},
): Promise<readonly Finding[]> {
	const {clock} = session;
	const {paths, checkName} = profile;
	if (profile !== main && !existsSync(paths.directory)) {
		const message = `${paths.directory} does not exist yet; the first start creates it`;
		return [fine(checkName('files'), message)];
	}

	const {checkFiles} = await import('./doctor-files.ts');
	const {checkStores} = await import('./doctor-stores.ts');
	const {checkJobs} = await import('./doctor-jobs.ts');
	const {checkModels} = await import('./doctor-model.ts');
	const {checkServers} = await import('./doctor-servers.ts');
	return [
		...(profile === main ? [] : [...(await checkFiles(paths, checkName)), ...profile.findings]),
		...configFindings(profile),
		...(await bounded(checkName('files'), () => checkStores(profile, clock))),
		...(await bounded(checkName('model'), () => checkModels(profile, {reach, clock}))),
		...(await bounded(checkName('servers'), signal => checkServers(profile, {session, reach, signal}))),
		...(await checkJobs(profile, clock).catch(() => [])),
		...platformFindings(profile, main),
		...(await runTroubles(profile, {
			check: checkName('toolsets'),
			toolsets: profile.loaded.config.toolsets.webhook,
			place: () => profile.keyPlace('platform_toolsets', 'webhook'),
		})),
	];
}

/** Runs a check for so long at most; what fails, or does not end, is a finding too. */
function createBounded({clock}: Pick<Session, 'clock'>, signal: AbortSignal) {
	return async (
		check: string,
		work: (signal: AbortSignal) => Promise<readonly Finding[]>,
	): Promise<readonly Finding[]> => {
		const reason = () => new Error('It took too long');
		const deadline = openDeadline(clock, longestMilliseconds, {signal, reason});
		try {
			return await untilAborted(work(deadline.signal), deadline.signal);
		} catch (error) {
			signal.throwIfAborted();
			return deadline.signal.aborted
				? [
						trouble(check, 'error', {
							message: `The check did not end within ${longestMilliseconds / 1000} seconds`,
							remedy: 'Run `sluice doctor --offline`, which makes no connections',
						}),
					]
				: [problemFinding(check, toProblem(error))];
		} finally {
			deadline.cancel();
		}
	};
}

/** The file as it was read, and every problem of it; those of a server, route or platform under its name. */
function configFindings({loaded, paths, checkName}: CheckedProfile): readonly Finding[] {
	const {file, config} = loaded;
	const troubles = config.problems.map(problem =>
		problemFinding(checkName(checkOf(problem)), problem, paths.directory),
	);
	const words = {read: 'config.yaml is valid', absent: 'There is no config.yaml yet', unusable: ''};
	return troubles.length > 0 ? troubles : [fine(checkName('config'), words[file])];
}

function checkOf({scope}: Problem): string {
	return scope === undefined || scope.kind === 'gateway' ? 'config' : `${scope.kind} ${scope.name}`;
}

/** The delivery platforms that are configured, or that a route delivers to: whether they can be used. Nothing is sent. */
export function platformFindings(
	profile: CheckedProfile,
	main: Pick<CheckedProfile, 'loaded' | 'paths'> = profile,
): readonly Finding[] {
	const {loaded, platforms, paths, checkName} = profile;
	const usedByRoutes = main.loaded.config.webhook.routes
		.filter(route => (route.profile ?? main.paths.profile) === paths.profile)
		.flatMap(({deliver, onFailure = []}) => [...deliver, ...onFailure].map(({target}) => target));
	return loaded.config.platforms.flatMap(platform => {
		const check = checkName(`platform ${platform.name}`);
		const isUsed = usedByRoutes.includes(platform.name);
		if (platform.state === 'disabled' && !isUsed) {
			return [fine(check, 'It is disabled')];
		}

		const problems = platforms.problems(platform.name);
		const isConfigured = Object.keys(platform.written).length > 0;
		const troubles = problems.map(({level, message}) =>
			trouble(check, level, {message, remedy: platformRemedy(profile, platform.name, message)}),
		);
		const ok = fine(check, 'Its settings are complete; nothing was sent');
		return isUsed || isConfigured ? (troubles.length === 0 ? [ok] : troubles) : [];
	});
}

/** Drops repeated findings, and an `ok` of a check that has another finding. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
	const seen = new Set<string>();
	const wrong = new Set(findings.flatMap(({check, level}) => (level === 'ok' ? [] : [check])));
	return findings.filter(({check, level, message}) => {
		const key = JSON.stringify([check, message]);
		const isNew = !seen.has(key);
		seen.add(key);
		return isNew && !(level === 'ok' && wrong.has(check) && /^(?:route|config|webhooks)/u.test(check));
	});
}
