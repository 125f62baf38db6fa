import {type DeviceAuthorizationResponse} from 'openid-client';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AwaitedDevice} from '../login-state.ts';
import {type LoginSteps} from '../login-steps.ts';

/** What a person is told of an offered code; it ends with the code or with `oauth.timeout`, whichever comes first. Throws `login_failed` when there is no web address to go to. */
export function toAwaited(offered: DeviceAuthorizationResponse, {clock, target}: LoginSteps): AwaitedDevice {
	const seconds = Math.min(target.oauth.timeoutSeconds, offered.expires_in);
	const complete = offered.verification_uri_complete;
	return {
		verificationUri: webAddress(offered.verification_uri),
		...(complete !== undefined && {verificationUriComplete: webAddress(complete)}),
		userCode: safeText(offered.user_code, {maximumCharacters: 80}),
		expiresAt: clock.now() + seconds * 1000,
	};
}

/** A person is sent there: nothing but a web address will do. */
function webAddress(text: string): string {
	const url = URL.parse(text);
	if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || text.length > 2048) {
		throw new Problem('login_failed', {message: 'The authorization server names no web address to enter the code at'});
	}

	return url.href;
}
