import { createSolver } from "../../suites/support/pow/solver.ts";

/**
 * For all services that this process judges: to start a solver and to find its fastest kernel takes longer than most
 * searches. It ends with this process.
 */
export const sharedSolver = createSolver();
