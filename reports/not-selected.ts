/** Why a run has no verdict on a requirement whose checks `--suite` or `--check` left out. */
export const notSelected = "its checks were not selected";
