import {type Problem} from '../../util/problem.ts';
import {deliveryTargets} from '../platforms/delivery-targets.ts';
import {type RouteConfig} from './route-config.ts';
import {isMalformed, type RouteFilter} from './route-filter.ts';
import {type RouteEntry} from './route-schema.ts';
import {refuse, type Section, report, warn} from '../values/section.ts';
import {signatureFault} from './signature-scheme.ts';

/** Tells what is wrong with a route that could be read; the answer is why it is not served, if so. */
export function checkRoute(route: RouteConfig, written: RouteEntry, section: Section): Problem | undefined {
	warnMalformed(route.filters, section);
	return checkTarget(route.deliver, section) ?? checkSignature(written.signature, section);
}

function warnMalformed(filters: readonly RouteFilter[], section: Section): void {
	if (filters.some(isMalformed)) {
		const allowed = 'a field with one operator, or all, any, not with filters';
		warn(section, ['filters'], `found a filter that cannot be understood, allowed: ${allowed}; it matches nothing`);
	}
}

function checkTarget(target: string, section: Section): Problem | undefined {
	return deliveryTargets.includes(target)
		? undefined
		: report(section, {
				code: 'unknown_target',
				level: 'error',
				key: ['deliver'],
				part: 'value',
				message: `found another text, allowed: ${deliveryTargets.join(', ')}`,
			});
}

function checkSignature(written: RouteEntry['signature'], section: Section): Problem | undefined {
	const fault = written && signatureFault(written);
	return fault === undefined ? undefined : refuse(section, ['signature'], fault);
}
