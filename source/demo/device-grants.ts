import {randomBytes, randomInt} from 'node:crypto';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {type Clock, type Timer} from '../util/clock.ts';

/** Milliseconds that the robot takes to type a code. */
const robotMilliseconds = 8000;
const codeSeconds = 300;
const tokenSeconds = 3600;
const pollSeconds = 2;

/** More than a person starts during a demo; beyond it the oldest are dropped. */
const maxCodes = 100;

/** Letters that cannot be mistaken for digits and do not form words. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** The responses of the demo's token endpoint. */
type DemoTokens = {
	readonly access_token: string;
	readonly refresh_token: string;
	readonly token_type: 'Bearer';
	readonly expires_in: number;
};

/** The codes and tokens of the demo's authorization server, and the robot that types each code after a while. */
export type DeviceGrants = {
	readonly offer: () => {
		readonly device_code: string;
		readonly user_code: string;
		readonly expires_in: number;
		readonly interval: number;
	};
	readonly redeem: (deviceCode: string) => DemoTokens | 'authorization_pending' | 'expired_token';
	readonly refresh: (refreshToken: string) => DemoTokens | 'invalid_grant';
	readonly isValid: (accessToken: string) => boolean;
	readonly close: () => void;
};

/** Creates the grants; no code is issued yet. */
export function createDeviceGrants(clock: Clock): DeviceGrants {
	const codes = createBoundedMap<string, {state: 'typed' | 'waiting'; readonly robot: Timer}>({
		max: maxCodes,
		onEvict: ({robot}) => robot.cancel(),
	});
	const access = new Map<string, number>();
	const refresh = new Set<string>();

	const issue = (): DemoTokens => {
		const tokens = {access_token: secret(), refresh_token: secret()};
		access.set(tokens.access_token, clock.now() + tokenSeconds * 1000);
		refresh.add(tokens.refresh_token);
		return {...tokens, token_type: 'Bearer', expires_in: tokenSeconds};
	};

	const forget = (code: string) => {
		codes.get(code)?.robot.cancel();
		codes.delete(code);
	};

	return {
		offer() {
			const code = secret();
			const entry = {
				state: 'waiting' as 'typed' | 'waiting',
				robot: clock.after(robotMilliseconds, () => {
					entry.state = 'typed';
				}),
			};
			codes.set(code, entry);
			return {device_code: code, user_code: userCode(), expires_in: codeSeconds, interval: pollSeconds};
		},
		redeem(code) {
			const entry = codes.get(code);
			if (entry?.state !== 'typed') {
				return entry ? 'authorization_pending' : 'expired_token';
			}

			forget(code);
			return issue();
		},
		refresh: token => (refresh.delete(token) ? issue() : 'invalid_grant'),
		isValid: token => (access.get(token) ?? 0) > clock.now(),
		close: () => codes.keys().forEach(code => forget(code)),
	};
}

function secret(): string {
	return randomBytes(24).toString('base64url');
}

function userCode(): string {
	const part = () => Array.from({length: 4}, () => letters[randomInt(letters.length)]).join('');
	return `${part()}-${part()}`;
}
