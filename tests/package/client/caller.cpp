// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

int run_plugin();

int main() {
    return run_plugin();
}
