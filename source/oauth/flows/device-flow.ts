import {type DeviceAuthorizationResponse} from 'openid-client';
import {openDeadline, sleep, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {obtainClient} from '../discovery/obtain-client.ts';
import {type AwaitedDevice} from './login-state.ts';
import {type LoginSteps} from './login-steps.ts';
import {answerProblem} from '../protocol/oauth-failure.ts';
import {type Asked, askOpenid, configureOpenid} from './openid.ts';
import {type Granted, toGranted, type TokenResponse} from '../protocol/token-record.ts';
import {deviceGrant} from '../discovery/find-authorization-server.ts';

/** RFC 8628, 3.2 and 3.5. */
const defaultIntervalSeconds = 5;
const slowDownSeconds = 5;

/**
Logs in with a code that a person enters on any device (RFC 8628; docs/logins.md, Device flow). Ends on approval, denial, expiry, `oauth.timeout` or the
signal, each at once. Rejects with Problem and with the errors of the SDK; see `oauthFailure`.
*/
export async function deviceFlow(steps: LoginSteps): Promise<Granted> {
	const {target, authorizationServer, record, scope, clock, resource} = steps;
	const request = {flow: 'device', oauth: target.oauth, authorizationServer, record, scope} as const;
	const client = await obtainClient({...request, documentRefused: true, now: clock.now()}, steps);
	const openid = await import('openid-client');
	const configuration = configureOpenid(openid, client, steps);
	const parameters = {
		...target.oauth.authorizeParams,
		...(scope !== undefined && {scope}),
		...(resource !== undefined && {resource}),
	};
	const deviceCode = await askOpenid(openid, () => openid.initiateDeviceAuthorization(configuration, parameters));
	if (deviceCode.kind === 'refused') {
		throw answerProblem(deviceCode.error, deviceCode.description);
	}

	const authorization = deviceCode.answer;
	const awaited = toAwaited(authorization, steps);
	const intervalSeconds = authorization.interval ?? defaultIntervalSeconds;
	let silence: Problem | undefined;
	const limit = openDeadline(clock, awaited.expiresAt - clock.now(), {
		signal: steps.signal,
		reason: () => new Problem('login_timeout', {message: timeoutText(silence)}),
	});
	const onSilence = (problem: Problem | undefined) => {
		silence = problem;
	};
	try {
		steps.dispatch({kind: 'device-awaited', awaited, nextPollAt: clock.now() + intervalSeconds * 1000});
		const form = {device_code: authorization.device_code, ...(resource !== undefined && {resource})};
		const answer = await poll(
			() => askOpenid(openid, () => openid.genericGrantRequest(configuration, deviceGrant, form)),
			{steps, intervalSeconds, onSilence, signal: limit.signal},
		);
		return toGranted(answer, {client, now: clock.now(), ...(scope !== undefined && {scope})});
	} finally {
		limit.cancel();
	}
}

/** The address at which the person enters the code, and its deadline: the lifetime of the code or `oauth.timeout`, whichever is shorter. Throws `login_failed` when there is no web address. */
function toAwaited(offered: DeviceAuthorizationResponse, {clock, target}: LoginSteps): AwaitedDevice {
	const seconds = Math.min(target.oauth.timeoutSeconds, offered.expires_in);
	const complete = offered.verification_uri_complete;
	return {
		verificationUri: webAddress(offered.verification_uri),
		...(complete !== undefined && {verificationUriComplete: webAddress(complete)}),
		userCode: safeText(offered.user_code, {maximumCharacters: 80}),
		expiresAt: clock.now() + seconds * 1000,
	};
}

/** A person opens it: only a web address is accepted. */
function webAddress(text: string): string {
	const url = URL.parse(text);
	if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || text.length > 2048) {
		throw new Problem('login_failed', {
			message: 'The authorization server gave no web address where the code can be entered',
		});
	}

	return url.href;
}

function timeoutText(silence: Problem | undefined): string {
	return silence ? `The code was not confirmed in time. ${silence.message}` : 'The code was not entered in time';
}

type Polling = {
	readonly steps: LoginSteps;
	readonly intervalSeconds: number;
	readonly signal: AbortSignal;
	/** Called after every poll: with the problem when there was no answer, without one when there was. */
	readonly onSilence: (problem: Problem | undefined) => void;
};

/** A server that is away is asked more and more rarely, but not so rarely that a person waits long once it is back. */
const longestPauseSeconds = 60;

async function poll(
	request: () => Promise<Asked<TokenResponse>>,
	{steps, intervalSeconds, signal, onSilence}: Polling,
): Promise<TokenResponse> {
	const {clock, dispatch} = steps;
	let interval = intervalSeconds;
	let pause = interval;
	for (;;) {
		await sleep(clock, pause * 1000, signal);
		// Ends at once on cancellation, even during a request.
		const asked = await untilAborted(unlessSilent(request()), signal);
		switch (asked.kind) {
			case 'answered':
				return asked.answer;
			case 'refused':
				interval += addedSeconds(asked);
				pause = interval;
				break;
			case 'silent':
				pause = Math.max(interval, Math.min(pause * 2, longestPauseSeconds));
		}

		onSilence(asked.kind === 'silent' ? asked.problem : undefined);
		dispatch({kind: 'polled', nextPollAt: clock.now() + pause * 1000});
	}
}

type Silent = {readonly kind: 'silent'; readonly problem: Problem};

/** No answer, or one of a server that is busy or away, is not a denial: poll again, more slowly (RFC 8628, 3.5). */
async function unlessSilent<Answer>(request: Promise<Asked<Answer>>): Promise<Asked<Answer> | Silent> {
	try {
		const asked = await request;
		return asked.kind === 'refused' && passingErrors.has(asked.error)
			? {kind: 'silent', problem: answerProblem(asked.error, asked.description)}
			: asked;
	} catch (error) {
		if (error instanceof Problem && error.code === 'fetch_failed') {
			return {kind: 'silent', problem: error};
		}

		throw error;
	}
}

/** The errors of RFC 6749, 4.1.2.1 that say the same as 500 and 503. */
const passingErrors = new Set(['server_error', 'temporarily_unavailable']);

/** The time that an answer adds to the interval; throws when polling must stop. */
function addedSeconds({error, description}: Extract<Asked<never>, {kind: 'refused'}>): number {
	switch (error) {
		case 'authorization_pending':
			return 0;
		case 'slow_down':
			return slowDownSeconds;
		default:
			throw answerProblem(error, description);
	}
}
