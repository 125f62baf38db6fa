import {toProblem} from '../../util/problem.ts';
import {type Session} from '../cli/session.ts';
import {stopSeconds as stopWithoutDrain, stopSecondsOf} from '../service/stop-time.ts';
import {findService, type Service, thisHost} from '../service/find-service.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, fine, trouble} from './finding.ts';

/** The service of the profile, where one is installed: whether it is as this version writes it, and goes on without a login. */
export async function checkService(
	{command, keyPlace}: Pick<CheckedProfile, 'command' | 'keyPlace'>,
	{
		session,
		reach,
		signal,
	}: {readonly session: Session; readonly reach: 'network' | 'files'; readonly signal: AbortSignal},
): Promise<readonly Finding[]> {
	const service = await installedService(session, signal);
	if (!service) {
		return [];
	}

	const {manager} = service;
	const install = command('service', 'install');
	const impatient = impatienceFindings(service, {
		allowed: await allowedSeconds(service, reach),
		install,
		key: keyPlace('gateway', 'drain_delay'),
	});
	const differing = impatient.length > 0 ? impatient : differenceFindings(service, install);
	const lingers = reach === 'files' ? null : await manager.lingers();
	const login: readonly Finding[] =
		lingers === false
			? [
					trouble('service', 'warning', {
						message: `${manager.name} stops when your last session ends`,
						remedy: 'Run `loginctl enable-linger`, which keeps it running and starts it at boot',
					}),
				]
			: [];
	const troubles = [...differing, ...login];
	return troubles.length > 0 ? troubles : [fine('service', `${manager.name} is up to date`)];
}

/** Undefined: none is installed, or this system has no service manager that we know. */
async function installedService(session: Session, signal: AbortSignal): Promise<Service | undefined> {
	try {
		const service = await findService({clock: session.clock, signal}, session, thisHost());
		return service.file.kind === 'absent' ? undefined : service;
	} catch (error) {
		if (toProblem(error).code === 'service_unavailable') {
			return undefined;
		}

		throw error;
	}
}

/** Seconds that the service manager lets a stop take; systemd alone knows drop-ins. */
async function allowedSeconds({manager, file}: Service, reach: 'network' | 'files'): Promise<number> {
	const state = reach === 'files' ? undefined : await manager.state().catch(() => undefined);
	return state?.stopSeconds ?? stopSecondsOf('text' in file ? file.text : manager.texts[0], manager.kind);
}

/** A service manager that kills the gateway before a stop is over. */
function impatienceFindings(
	{manager, file, stopSeconds}: Service,
	{allowed, install, key}: {readonly allowed: number; readonly install: string; readonly key: string},
): readonly Finding[] {
	if (allowed >= stopSeconds || file.kind === 'other-home') {
		return [];
	}

	const setting = manager.kind === 'systemd' ? `TimeoutStopSec=${stopSeconds}` : `ExitTimeOut to ${stopSeconds}`;
	const drains = stopSeconds > stopWithoutDrain;
	const remedy = file.kind === 'changed' ? `Run ${install}` : `Set ${setting} for ${manager.name}`;
	return [
		trouble('service', 'warning', {
			message: `${manager.name} is killed ${allowed} s after its stop began, and a stop may take ${stopSeconds} s${drains ? ' with gateway.drain_delay' : ''}`,
			remedy: drains ? `${remedy}, or shorten ${key}` : remedy,
		}),
	];
}

function differenceFindings({manager, file}: Service, install: string): readonly Finding[] {
	switch (file.kind) {
		case 'changed':
			return [
				trouble('service', 'warning', {
					message: `${manager.path} differs from the file that this version writes`,
					remedy: `Run ${install}, which shows the difference and applies it`,
				}),
			];
		case 'other-home':
			return [
				trouble('service', 'warning', {
					message: `${manager.path} runs the gateway of ${file.home}, not this one`,
					remedy: 'Ignore this if it is intended; a second service needs a profile of its own',
				}),
			];
		case 'by-hand':
			return [fine('service', `${manager.path} was written by hand`)];
		case 'absent':
		case 'same':
			return [];
	}
}
